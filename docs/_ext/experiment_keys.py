"""The directive `experiment-keys MODEL`: a table of a pydantic model's keys, from its docstring and schema."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from docutils import nodes
from numpydoc.docscrape import ClassDoc
from pydantic import BaseModel
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

LIMITS = {
    "minimum": "at least {:,}",
    "exclusiveMinimum": "more than {:,}",
    "maximum": "at most {:,}",
    "exclusiveMaximum": "less than {:,}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "ge": "at least {:,}",
    "le": "at most {:,}",
}
NAMES = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """Return the description of each key from the section Attributes of the docstring."""
    said = ClassDoc(model, config={"show_class_members": False})["Attributes"]
    return {name: " ".join(each.desc) for each in said for name in each.name.split(", ")}


def kind(schema: dict[str, Any], named: dict[str, Any]) -> str:
    """Return the type of a value in words, with its limits."""
    if "$ref" in schema:
        found = named[schema["$ref"].rpartition("/")[2]]
        return kind(found, named) if "enum" in found else "table"
    if "anyOf" in schema:
        kinds = [kind(each, named) for each in schema["anyOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    limits = [words.format(schema[name]) for name, words in LIMITS.items() if name in schema]
    if schema.get("type") == "array":
        what = f"list ({kind(schema['items'], named)})"
    elif schema.get("type") == "object":
        patterns = schema.get("patternProperties", {})
        values = schema["additionalProperties"] if not patterns else next(iter(patterns.values()))
        what = f"table ({kind(values, named)})"
    else:
        what = NAMES.get(schema.get("type", ""), "any value")
    return ", ".join([what, *limits])


def default(schema: dict[str, Any], required: bool) -> str:
    """Return the default of a key as a table cell."""
    if required:
        return "*required*"
    value = schema.get("default")
    return "–" if value in (None, [], {}, "") or isinstance(value, dict) else f"`{json.dumps(value)}`"


def table_of(model: type[BaseModel]) -> str:
    """Return the table as Markdown.

    Raises
    ------
    KeyError
        The docstring of the model does not describe a key.
    """
    schema = model.model_json_schema()
    said, required = meanings(model), schema.get("required", ())
    lines = ["| key | meaning | values | default |", "|---|---|---|---|"]
    for name, key in schema["properties"].items():
        values = kind(key, schema.get("$defs", {}))
        lines.append(f"| `{name}` | {said[name]} | {values} | {default(key, name in required)} |")
    return "\n".join(lines)


class ExperimentKeys(SphinxDirective):
    """The directive; its argument is the dotted name of a model."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        module, _, name = self.arguments[0].rpartition(".")
        return self.parse_text_to_nodes(table_of(getattr(import_module(module), name)))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("experiment-keys", ExperimentKeys)
    return {"parallel_read_safe": True}
