"""Questions to the laboratory: what the sources claim, and how fast the detectors are."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from noughts.lab.bench import read_options
from noughts.lab.figure import MOST_COLUMNS, MOST_LETTERS, MOST_ROWS, Cell, Drawing, Figure, Kind
from noughts.lab.papers import chosen
from noughts.lab.scenarios import PUBLISHED
from noughts.web import cost
from noughts.web.asking import EVENTS, REFUSED_BODY, Again, Events, QuestionBody, SafeInteger, answer, events, text
from noughts.web.guard import require_json
from noughts.web.schema import model

router = APIRouter(tags=["laboratory"])

CellToDraw = Annotated[str, Field(max_length=MOST_LETTERS)] | float | None

Names = list[Annotated[str, Field(max_length=400)]]
SourceText = Annotated[str, text(40, "gordon", "prajoda, gordon, lastmove, gamescrafters or minimax")]


class BenchQuestion(QuestionBody):
    """The options of `noughts bench`, with defaults that take some seconds and limits; names may be given as `a,b`."""

    experiment: Annotated[str, Field(max_length=20, description="scenarios, growth or all")] = "scenarios"
    detector: Annotated[Names, Field(max_length=40, default_factory=list)]
    scenario: Annotated[
        Names,
        Field(max_length=20, default_factory=list, description="without one, the five boards of the prajoda source"),
    ]
    trials: Annotated[int, Field(ge=1, le=100)] | None = None
    iterations: Annotated[int, Field(ge=1, le=100_000)] | None = None
    paper: Annotated[bool, Field(description="as the prajoda source: 100,000 iterations, 5 trials")] = False
    baseline: Annotated[str, Field(max_length=40)] | None = None
    seed: SafeInteger = 0
    memory: bool = False
    again: Again = False

    model_config = ConfigDict(strict=False)  # a query is all texts


class FigureQuestion(QuestionBody):
    """A table, and how it is to be drawn."""

    title: Annotated[str, Field(max_length=120)] = ""
    head: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=MOST_COLUMNS)]
    rows: Annotated[list[list[CellToDraw]], Field(min_length=1, max_length=MOST_ROWS)]
    kind: Kind = "table"
    log: Annotated[bool, Field(description="on a logarithmic scale")] = False


@router.post("/figure", response_model=model(Drawing), responses=REFUSED_BODY)
async def figure(request: Request, question: FigureQuestion) -> Response:
    """A table as a picture, to be taken along: itself, or as bars, columns or lines."""
    require_json(request.headers)
    given = (question.title, question.head, question.rows, question.kind, question.log)
    return await answer(request, cost.SOME, _draw, *given)


def _draw(title: str, head: list[str], rows: list[list[Cell]], kind: Kind, log: bool) -> Drawing:
    return Drawing(Figure(title, tuple(head), tuple(map(tuple, rows)), kind, log).svg())


@router.get("/papers", status_code=200, response_class=Events, responses=EVENTS)
async def papers(request: Request, source: SourceText = "", again: Again = False) -> Response:
    """Judge what the five sources claim, or one of them: an event a claim, at the end `verdicts` with every row."""
    if source:
        chosen(source)  # refuses what is no source
    return events(request, "papers", *filter(None, [source]), again=again)


@router.get("/bench", status_code=200, response_class=Events, responses=EVENTS)
async def bench(request: Request, question: Annotated[BenchQuestion, Query()]) -> Response:
    """Time the detectors, each checked first: the means so far as events, then what `noughts bench --json` says."""
    asked = question.model_dump(exclude={"again", "detector", "scenario"})
    options = read_options(detectors=question.detector, scenarios=question.scenario or PUBLISHED, **asked)
    return events(request, "bench", json.dumps(options.to_json()), again=question.again)
