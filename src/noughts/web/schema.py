"""The shape of the answers, for the OpenAPI document: models made from the library's own types.

Nothing is written down twice: `noughts.rules.answer` knows the keys of an answer and their types, and here they become
pydantic models. Answers are sent as the library writes them; tests hold them to these models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, create_model

from noughts.rules.answer import kinds

MODELS: dict[type, Any] = {}


class Open(BaseModel):
    """More keys may be added to any answer."""

    model_config = ConfigDict(extra="allow")


def model(answer: type) -> Any:
    """The model of an answer: its keys, and what each holds."""
    if answer not in MODELS:
        MODELS[answer] = answer.__name__  # an answer with parts of its own kind, such as a tree, names itself
        fields: dict[str, Any] = {key: (held(kind), ...) for key, kind in kinds(answer)}
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
