"""Values: dataclasses that nobody changes once they are made.

`@dataclass(frozen=True)` from here is the usual one for the type checker, which refuses every change. At run time it
leaves out the guard, because the guard is paid for in the making (each field set through object.__setattr__) and an
adjudication makes values by the thousand: a fifth of its time. They compare and hash by their fields either way.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: Any) -> Any:
        def made(cls: type) -> type:
            by_fields = frozen and eq and "__hash__" not in vars(cls)
            return dataclasses.dataclass(cls, eq=eq, unsafe_hash=by_fields, **options)

        return made if cls is None else made(cls)
