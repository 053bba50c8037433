"""Questions of those who use one server together: one's place in the queue, the addresses for others, and a class."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from noughts.rules.answer import Answer
from noughts.web import asking
from noughts.web.addresses import MAX_LINK, as_picture
from noughts.web.guard import require_json, require_ours
from noughts.web.jobs import Desk, Gone, Stopping, while_listening
from noughts.web.lesson import MOST, Lesson
from noughts.web.pool import dump
from noughts.web.schema import model
from noughts.web.turns import TooManyJobs

router = APIRouter(tags=["together"])
class_router = APIRouter(include_in_schema=False)  # where a class can follow
MAX_SHOWN = 8_192  # characters of what stands after the / of a page


@dataclass(frozen=True)
class InQueue(Answer):
    """Who waits for a worker."""

    place: int | None  # of the asking page's next question, counted from 1
    waiting: int
    retry_after: int | None


@dataclass(frozen=True)
class Meeting(Answer):
    """How others come here."""

    addresses: tuple[str, ...]
    can_follow: bool
    leads: bool
    word: str | None
    followers: int


@router.get("/queue", response_model=model(InQueue))
async def queue(request: Request) -> Response:
    """Whether a question of yours waits for a worker, at which place, and for how many seconds about.

    Whose question it is, is known by the header `x-page` of the question, a name that a page gives itself, and its
    address.
    """
    turns = asking.desk_of(request).turns
    place = turns.place(asking.client_of(request))
    return asking.Json(asking.in_json(InQueue, place, len(turns.waiting), place and turns.seconds(place)))


@router.get("/class", response_model=model(Meeting))
async def meeting(request: Request) -> Response:
    """The addresses that others can open, whether a class can follow, and the word, for whoever leads it."""
    lesson: Lesson | None = request.app.state.lesson
    leads = lesson is not None and lesson.is_led_with(request.headers.get("x-lead", ""))
    word, followers = (lesson.word, lesson.followers) if lesson and leads else (None, 0)
    return asking.Json(asking.in_json(Meeting, request.app.state.addresses, lesson is not None, leads, word, followers))


@router.get("/qr", include_in_schema=False)
async def qr(request: Request, link: Annotated[str, Field(max_length=MAX_LINK)]) -> Response:
    """The QR code of a link to this server, and to no other."""
    require_ours(request.headers)
    if not link.startswith((*request.app.state.addresses, str(request.base_url))):
        raise HTTPException(422, "a QR code is made of a link to this server alone")
    try:
        return Response(as_picture(link), media_type="image/svg+xml")
    except ImportError:
        raise HTTPException(404, "QR codes need segno: pip install 'noughts[web]'") from None


# Where a class can follow


class ShownQuestion(asking.QuestionBody):
    """What the page that leads shows: what stands after the / of its address; null ends it."""

    key: Annotated[str, Field(max_length=40)]
    shown: Annotated[str | None, Field(max_length=MAX_SHOWN)]


@class_router.post("/class/board")
async def show(request: Request, question: ShownQuestion) -> Response:
    """Show something to all who follow; the answer says how many these are."""
    require_json(request.headers)
    require_ours(request.headers)
    lesson: Lesson = request.app.state.lesson
    if not lesson.is_led_with(question.key):
        raise HTTPException(403, "only who has the key of this class may lead it: the terminal of the server shows it")
    lesson.show(question.shown)
    return asking.Json(dump({"followers": lesson.followers}))


@class_router.get("/class/board")
async def follow(request: Request, word: Annotated[str, Field(max_length=40)]) -> Response:
    """Follow the page that leads: an event `shown` whenever it shows something else."""
    require_ours(request.headers)
    lesson: Lesson = request.app.state.lesson
    await lesson.require(word)
    if lesson.followers >= MOST:
        raise TooManyJobs(f"{MOST} follow already", 5)
    return Following(asking.desk_of(request), lesson)


class Following(Response):
    """What a lesson shows, as server-sent events, until the client or the server leaves."""

    media_type = "text/event-stream"

    def __init__(self, desk: Desk, lesson: Lesson) -> None:
        super().__init__()
        self.desk, self.lesson = desk, lesson
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what is shown."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})

        async def tell(shown: str | None) -> None:
            event = b"event: shown\ndata: %s\n\n" % dump({"shown": shown})
            await send({"type": "http.response.body", "body": event, "more_body": True})

        async def stay() -> None:
            with self.desk.place("followers"):
                await self.lesson.follow(tell)

        with suppress(Gone, Stopping):
            await while_listening(Request(scope, receive), stay)
        await send({"type": "http.response.body", "body": b""})
