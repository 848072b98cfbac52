"""Values: small things that nobody changes once they are made, and that an adjudication makes by the hundred.

`@dataclass(frozen=True)` from here is the usual one for the type checker, which refuses every change. At run time it
leaves out the guard, because the guard is paid for in the making (each field set through object.__setattr__), and
making values was a fifth of an adjudication's time. They compare and hash by their fields either way.
"""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: Any) -> Any:
        def made(cls: type) -> type:
            by_fields = frozen and eq and "__hash__" not in vars(cls)
            return dataclasses.dataclass(cls, eq=eq, unsafe_hash=by_fields, **options)

        return made if cls is None else made(cls)


E = TypeVar("E", bound=type[StrEnum])


def plain(enum: E) -> E:
    """Members as plain attributes, hashed as the strings that they are.

    Python 3.11 finds `Color.RED` by way of a property, at five times the cost of an attribute; 3.12 does as we do.
    """
    for name, member in enum.__members__.items():
        type.__setattr__(enum, name, member)
    type.__setattr__(enum, "__hash__", str.__hash__)
    return enum
