"""The shape of the answers, for the OpenAPI document: models made from the library's own types.

Nothing is written down twice: `noughts.rules.answer` knows the keys of an answer and their types, and here they become
pydantic models. What a key holds is said in keys.toml, once for all answers that have it. Answers are sent as the
library writes them; tests hold them to these models.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import reduce
from operator import or_
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

from noughts.rules.answer import declared, kinds, parts

MODELS: dict[type, Any] = {}
MEANINGS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("keys.toml").read_text(encoding="utf-8"))


class Open(BaseModel):
    """More keys may be added to any answer."""

    model_config = ConfigDict(extra="allow")


def model(answer: type) -> Any:
    """The model of an answer: its keys, and what each holds."""
    if answer not in MODELS:
        MODELS[answer] = answer.__name__  # an answer with parts of its own kind, such as a tree, names itself
        fields: dict[str, Any] = {
            key: (held(kind), Field(description=meaning(answer, key))) for key, kind in kinds(answer)
        }
        made = create_model(answer.__name__, __base__=Open, __doc__=answer.__doc__, __module__=__name__, **fields)
        made.model_rebuild(_types_namespace={answer.__name__: made})
        MODELS[answer] = made
    return MODELS[answer]


def held(kind: Any) -> Any:
    """A declared type as JSON has it: a game, a position, a mark is its text."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return held(inner[0])
    if origin in (Union, UnionType):
        found = [held(each) for each in inner]
        return Union[tuple(found)]  # noqa: UP007  # names of models that are still being made know no |
    if origin in (tuple, list, Sequence):
        return GenericAlias(list, reduce(or_, [held(each) for each in inner if each is not ...]))
    if origin in (dict, Mapping):
        return GenericAlias(dict, (str, held(inner[1])))
    if kind in (None, Any, type(None), str, int, float, bool) or origin is Literal:
        return kind
    if hasattr(kind, "keys"):
        return model(kind)
    return Literal[tuple(map(str, kind))] if issubclass(kind, Enum) else str


def meaning(answer: type, key: str) -> str:
    """What a key of an answer holds, in the answer's own words if it has some.

    >>> from noughts.account import Judgement
    >>> meaning(Judgement, "turn"), meaning(Judgement, "slipped")
    ('who made it', 'whether something was given away')
    """
    own = (MEANINGS.get(each.__name__, {}).get(key) for each in with_parts(answer))
    found: str = next(filter(None, own), None) or MEANINGS[key]
    return found


def with_parts(answer: type) -> Iterator[type]:
    """An answer, and the parts of it whose keys stand among its own."""
    yield answer
    for _, path, sign in parts(answer.keys):  # type: ignore[attr-defined]
        if sign == "*":
            yield from with_parts(reduce(declared, path, answer))
