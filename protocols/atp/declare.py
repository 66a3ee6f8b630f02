"""Writes ``messages.py``: one dataclass a dictionary row, so that type checkers see every field.

Run through ``python -m protocols.atp.spec``, which also writes SPEC.md and checks both.
"""

from __future__ import annotations

from protocols.atp.codec import python_type, struct_code
from protocols.atp.dictionary import Dictionary, Row

_HEAD = '''"""The messages of ATP, one class a row of ``messages.toml``. Generated: change that file instead.

``python -m protocols.atp.spec`` writes it again. Every field defaults to zero, as on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from protocols.atp.codec import Message
'''


def _default(field_type: str) -> str:
    return "0" if python_type(field_type) == "int" else f"bytes({struct_code(field_type)[:-1]})"


def _class(row: Row) -> str:
    lines = [
        "@dataclass(frozen=True, slots=True)",
        f'class {row.class_name}(Message, row="{row.name}"):',
        f'    """{row.about}"""',
    ]
    if row.fields:
        lines.append("")
    lines += [f"    {field.name}: {python_type(field.type)} = {_default(field.type)}" for field in row.fields]
    return "\n".join(lines)


def messages_module(dictionary: Dictionary) -> str:
    """The text of ``messages.py``."""
    codes = ['class ErrorCode(IntEnum):\n    """Why a message could not be served."""\n']
    codes += [f"    {row.name} = {row.number}" for row in dictionary.errors]
    classes = [_class(row) for row in dictionary.messages]
    names = ",\n".join(f"    {row.class_name}" for row in dictionary.messages)
    table = f"MESSAGES: tuple[type[Message], ...] = (\n{names},\n)\n"
    return "\n\n\n".join([_HEAD.rstrip(), "\n".join(codes), *classes]) + "\n\n\n" + table
