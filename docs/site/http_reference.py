"""The reference of the HTTP API, made from the server's own OpenAPI document.

It takes the place of the marker in reference/http.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MARKER = "<!-- the OpenAPI document -->"
Schema = dict[str, Any]


def kind(schema: Schema) -> str:
    """A schema in a few words, with a link to the shape that it names.

    >>> kind({"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Move"}]}})
    'list of string or [Move](#move)'
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if either := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(kind(each) for each in either)
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}"
    if "enum" in schema or "const" in schema:
        return " or ".join(f'`"{each}"`' if isinstance(each, str) else f"`{each}`" for each in values(schema))
    return str(schema.get("type", "anything"))


def values(schema: Schema) -> list[Any]:
    """The values that a schema lists."""
    return list(schema.get("enum", [schema.get("const")]))


def table(properties: dict[str, Schema], needed: list[str]) -> Iterator[str]:
    """The keys of an object, a row each."""
    yield from ("", "| key | holds | says |", "|---|---|---|")
    for name, schema in properties.items():
        says = schema.get("description", "").replace("|", "\\|").replace("\n", " ")
        optional = "" if name in needed else " (optional)"
        yield f"| `{name}` | {kind(schema)}{optional} | {says} |"
    yield ""


def operations(document: Schema) -> Iterator[str]:
    """Every question that can be asked."""
    for path, methods in document["paths"].items():
        for method, asked in methods.items():
            yield from (f"### `{method.upper()} {path}`", "", asked["description"], "")
            if parameters := asked.get("parameters"):
                shapes = {each["name"]: {**each["schema"], **each} for each in parameters}
                yield from table(shapes, [each["name"] for each in parameters if each.get("required")])
            if body := asked.get("requestBody"):
                yield from (f"Takes {kind(body['content']['application/json']['schema'])}.", "")
            for status, answer in asked["responses"].items():
                content = answer.get("content", {}).get("application/json", {}).get("schema")
                gives = f": {kind(content)}" if content and kind(content) != "anything" else ""
                says = "the answer" if answer["description"] == "Successful Response" else answer["description"]
                yield f"- {status}, {says}{gives}"
            yield ""


def shapes(document: Schema) -> Iterator[str]:
    """Every object that is sent or taken."""
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield from (f"### {name}", "", schema.get("description", ""), "")
        yield from table(schema.get("properties", {}), schema.get("required", []))


def reference() -> str:
    """The whole of it as Markdown."""
    from noughts.web.app import create_app

    document = create_app().openapi()
    document["components"]["schemas"].pop("HTTPValidationError", None)
    document["components"]["schemas"].pop("ValidationError", None)
    return "\n".join(["## Questions", "", *operations(document), "## Shapes", "", *shapes(document)])


def fill(app: Any, page: str, source: list[str]) -> None:
    """Put the reference in its place."""
    if MARKER in source[0]:
        source[0] = source[0].replace(MARKER, reference())


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
