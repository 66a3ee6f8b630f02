"""What `tomllib` says about a text that is no TOML, as keys of the catalogue: its sentences are English."""

from __future__ import annotations

import re

_REASONS = (
    (re.compile(r"Invalid statement"), "toml_syntax.statement"),
    (re.compile(r"Expected newline or end of document after a statement"), "toml_syntax.more"),
    (re.compile(r"Expected '=' after a key in a key/value pair"), "toml_syntax.equals"),
    (re.compile(r"Expected '(\]+)' at the end of .*"), "toml_syntax.heading"),
    (re.compile(r"(?:Found invalid|Illegal) character (.*)", re.DOTALL), "toml_syntax.character"),
    (re.compile(r"Cannot (?:declare|redefine|overwrite|mutate) .*|Duplicate .*"), "toml_syntax.twice"),
    (re.compile(r"Invalid initial character for a key part"), "toml_syntax.key"),
    (re.compile(r"Unclosed (?:array|inline table)"), "toml_syntax.unclosed"),
    (re.compile(r"Unescaped '.*|Invalid hex value|Escaped character .*"), "toml_syntax.escape"),
    (re.compile(r"Unterminated string|Expected .*[\"'].*"), "toml_syntax.quote"),
    (re.compile(r"Invalid date or datetime"), "toml_syntax.date"),
    (re.compile(r"Invalid value"), "toml_syntax.value"),
)


def syntax_reason(message: str) -> tuple[str, str]:
    """The key of the reason, and the part of the message that fills it; the whole for an unknown message."""
    for pattern, key in _REASONS:
        if found := pattern.fullmatch(message):
            return key, found[1] if pattern.groups else ""
    return "toml_syntax.other", message
