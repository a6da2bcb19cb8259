#!/usr/bin/env python3
"""Prints python/hog_solver/answers.py: the types of all answers, and the methods of `Game` for questions that need no more
than their parameters. It is made from the engine's list of questions and from docs/schema.

    target/python/bin/python scripts/python_answers.py > python/hog_solver/answers.py
"""

import json
import keyword
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from hog_solver import _native

SCHEMAS = Path(__file__).parents[1] / "docs" / "schema"
#: The names of methods that every answer has as a mapping.
METHODS = set(dir(Mapping))
#: The parameters that say which game it is, and the files of a request.
GAME = {"rules", "file", "goal", "max_dice", "numbers", "files"}
#: The questions that `Game` asks in its own way, with those for pictures.
BY_HAND = {"best", "compare", "contest", "describe", "try", "play", "rate", "simulate", "solve", "tune", "turn", "vary"}
#: The types that no question about a game returns as they are, by the schema that has them.
OTHERS = {"check": ["TableCheck"], "play-event": ["PlayTurn", "PlayEnd"], "simulate": ["SimulatedGames"]}
PLAIN = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
HEAD = '''\
"""The answers of the library as types, and the questions as methods of :class:`hog_solver.Game`.

Made by ``scripts/python_answers.py`` from the engine's list of questions and from ``docs/schema``; do not edit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ._progress import Progress
from ._strategies import StrategyLike
from ._views import Rate, View'''


def annotation(schema, is_parameter=False):
    """Returns the type of a value of an answer, or of a parameter."""
    if "$ref" in schema:
        return CLASSES.get(named := schema["$ref"].rsplit("/", 1)[1], named)
    if schema.get("format") == "strategy":
        return "StrategyLike" + (" | None" if "null" in schema["type"] else "")
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    if kinds:
        return " | ".join(of_kind(kind, schema, is_parameter) for kind in kinds)
    either = schema.get("anyOf", schema.get("oneOf", []))
    return " | ".join(dict.fromkeys(annotation(one, is_parameter) for one in either)) or "Any"


def of_kind(kind, schema, is_parameter):
    if kind == "array":
        return f"{'Sequence' if is_parameter else 'list'}[{annotation(schema.get('items', {}))}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Mapping[str, {annotation(values) if isinstance(values, dict) else 'Any'}]"
    return PLAIN[kind]


def documented(text, indent):
    """Returns the lines of a docstring."""
    lines = textwrap.wrap(" ".join(text.split()), 125 - len(indent))
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:]), f'{indent}"""']


#: The types that are written by hand, and those that are plain values in Python.
BY_NAME = {"WinRates": "Rate"}
CLASSES = {**BY_NAME}


def add(found, name, schema):
    """Adds the class of an object, after those of its values, to the classes that are `found`."""
    inner = {key: value for key, value in schema.get("$defs", {}).items() if key not in BY_NAME}
    CLASSES.update({key: annotation(value) for key, value in inner.items() if "properties" not in value})
    for key, value in inner.items():
        if "properties" in value:
            add(found, key, value)
    lines = [f"class {name}(View):", *documented(schema["description"], "    "), ""]
    for key, value in in_order(schema).items():
        kind = annotation(value)
        if key in METHODS:
            lines += ["    @property", f"    def {key}(self) -> {kind}:  # type: ignore[override]"]
            lines += [f'        return cast("{kind}", self["{key}"])', ""]
        else:
            lines.append(f"    {key}: {kind}")
    text = "\n".join(lines).rstrip()
    assert found.setdefault(name, text) == text, f"two types are called {name}"


def in_order(schema):
    """Returns the properties, the required ones first, in their order; without those that are words of Python."""
    names = [*schema.get("required", []), *schema["properties"]]
    return {name: schema["properties"][name] for name in names if not keyword.iskeyword(name)}


def method(name, request, answer):
    """Returns the method that asks a question."""
    called = name.replace("/", "_") + ("_" if name == "try" else "")
    given = {key: value for key, value in in_order(request).items() if key not in GAME}
    required = request.get("required", [])
    parameters = [f"{key}: {annotation(given[key], True)}" for key in given if key in required]
    parameters += ["*"]
    for key in given:
        if key not in required:
            usual = given[key].get("default", [] if given[key].get("type") == "array" else None)
            kind = annotation(given[key], True)
            if usual in (None, [], {}):
                usual = () if usual == [] and kind.startswith("Seq") else None
                kind += "" if usual == () or kind.endswith("None") else " | None"
            parameters.append(f"{key}: {kind} = {usual!r}")
    parameters.append("progress: Progress = None")
    passed = [json.dumps(name), *(f"{key}={key}" for key in given), "progress=progress"]
    head = call(f"    def {called}", ["self", *parameters]) + f" -> {answer}:"
    about = request["description"].rstrip(".") + "."
    what = [f"``{key}``: {value['description'].rstrip('.')}." for key, value in given.items() if "description" in value]
    document = documented(about, "        ")
    if what:
        document = [f'        """{about}', ""]
        for one in what:
            document += textwrap.wrap(" ".join(one.split()), 117, initial_indent=" " * 8, subsequent_indent=" " * 12)
        document.append('        """')
    return "\n".join([head, *document, call("        asked = self._asked", passed), f"        return {answer}._of(asked)"])


def call(start, arguments):
    """Returns a call or the head of a function, on lines that are not too long."""
    line = f"{start}({', '.join(arguments)})"
    if len(line) < 110:
        return line
    indent = " " * (len(start) - len(start.lstrip()))
    return f"{start}(\n" + "".join(f"{indent}    {one},\n" for one in arguments) + f"{indent})"


def reached(definitions, root):
    """Returns a definition and those that it refers to."""
    found, more = {}, {root}
    while more:
        found |= {name: definitions[name] for name in sorted(more)}
        more = set(re.findall(r"#/\$defs/(\w+)", json.dumps(found))) - found.keys()
    return found


def schema_of(name):
    """Returns the schema of an answer."""
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def main():
    found = {}
    methods = []
    for name, schema, request in _native.questions():
        request = json.loads(request)
        if "file" not in request.get("properties", {}) or name == "contest/reports":
            continue
        answer = schema_of(schema)
        if "properties" in answer:
            add(found, answer["title"], answer)
        if name not in BY_HAND and not name.startswith("plot/"):
            methods.append(method(name, request, answer["title"]))
    for name, roots in OTHERS.items():
        definitions = schema_of(name)["$defs"]
        for root in roots:
            add(found, root, {**definitions[root], "$defs": reached(definitions, root)})
    print(HEAD, *found.values(), sep="\n\n\n")
    print('\n\nclass Questions:\n    """The questions as methods of a game."""\n')
    print("    def _asked(self, question: str, /, *, progress: Progress = None, **parameters: Any) -> tuple[str, str]:")
    print('        """Returns the answer as JSON and as text."""\n        raise NotImplementedError\n')
    print(*methods, sep="\n\n")


main()
