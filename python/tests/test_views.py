"""The typed views against the schemas of the documents."""

from __future__ import annotations

import json
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from conftest import CONFORMANCE

import hog_solver as hs
from hog_solver import _views
from hog_solver._views import Rate, View

_SCHEMAS = CONFORMANCE.parents[1] / "docs" / "schema"
_JSON = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_DOCUMENTS = {
    "simulate": hs.Simulation,
    "describe": hs.Description,
    "compare": hs.Comparison,
    "turn": hs.Turn,
    "solve": hs.Solved,
    "explain": hs.Explanation,
    "contest": hs.Contest,
    "play-turn": _views.PlayedTurn,
    "play-end": _views.End,
}


def _compare(view: type[View], schema: dict[str, Any], known: dict[str, Any], path: str) -> None:
    for key, hint in get_type_hints(view).items():
        assert key in schema["properties"], f"{path} has no {key}"
        _compare_value(hint, schema["properties"][key], known, f"{path}.{key}")


def _compare_value(hint: Any, schema: dict[str, Any], known: dict[str, Any], path: str) -> None:
    if "$ref" in schema:
        schema = known[schema["$ref"].rsplit("/", 1)[1]]
    if get_origin(hint) is list:
        assert schema["type"] == "array", path
        _compare_value(get_args(hint)[0], schema["items"], known, path)
    elif get_origin(hint) in (Union, types.UnionType):
        assert set(schema["type"]) == {_JSON[kind] for kind in get_args(hint)}, path
    elif hint is Rate:
        assert set(schema["properties"]) == {"first", "second", "average", "endless", "error_bound"}, path
    elif isinstance(hint, type) and issubclass(hint, View):
        assert schema["type"] == "object", path
        _compare(hint, schema, known, path)
    else:
        values = [each.get("const", *each.get("enum", [None])[:1]) for each in schema.get("oneOf", [schema])]
        assert schema.get("type") == _JSON[hint] or hint is str and all(isinstance(one, str) for one in values), path


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_annotations_are_those_of_the_schema(name: str) -> None:
    schema = json.loads((_SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    _compare(_DOCUMENTS[name], schema, schema.get("$defs", {}), name)


def test_values_have_the_types_of_the_annotations(fa21: hs.Game, optimal: hs.Solution) -> None:
    turn = fa21.turn(20, 36, [2, 3])
    assert isinstance(turn, hs.Turn) and turn.points == 5 and turn.steps[0].rule == "Roll"
    played = fa21.play("optimal")
    assert type(played.turns[0]) is _views.PlayedTurn and type(played.end) is _views.End
    described = hs.Game("fa21", goal=12).describe()
    assert type(described.turns) is _views.Length and isinstance(described.win_rate, Rate)
    assert {*get_type_hints(hs.Check)} <= {*optimal.check()} | {"published"}
