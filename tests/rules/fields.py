"""Every field of the ruleset's model, with its type: what texts, bounds and forms of printing must cover."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import inspect

from tablectl.rules.model import Articles, Ruleset


def structs(type_: inspect.Type) -> list[inspect.StructType]:
    """The struct, or those of a union."""
    found = type_.types if isinstance(type_, inspect.UnionType) else (type_,)
    return [one for one in found if isinstance(one, inspect.StructType)]


NOT_RULES = ("name", "calls")  # what the system is called, and what the organiser wants of calls


def _fields() -> Iterator[tuple[tuple[str, str], inspect.Type]]:
    for section in structs(inspect.type_info(Ruleset))[0].fields:
        for struct in structs(section.type) if section.name not in NOT_RULES else []:
            for field in struct.fields:
                rules = structs(field.type)
                value = rules[0].fields[0].type if rules else field.type
                yield (section.name, field.name), value


def words(type_: inspect.Type) -> Iterator[str | int]:
    """The words a value of the type may be made of."""
    match type_:
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.UnionType(types=types):
            for one in types:
                yield from words(one)
        case inspect.VarTupleType(item_type=item):
            yield from words(item)
        case inspect.DictType(key_type=key):
            yield from words(key)
        case inspect.StructType(fields=fields):
            yield from (field.encode_name for field in fields)


def has_number(type_: inspect.Type) -> bool:
    """True if a number of any size may stand in it."""
    match type_:
        case inspect.IntType():
            return True
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            return any(map(has_number, types))
        case inspect.VarTupleType(item_type=item):
            return has_number(item)
        case inspect.DictType(value_type=value):
            return has_number(value)
        case inspect.StructType(fields=fields):
            return any(has_number(field.type) for field in fields)
    return False


TYPES = list(_fields())  # a field of several judges is there once for each
FIELDS = list(dict(TYPES))
ARTICLES = [("articles", name) for name in Articles.__struct_fields__]
