"""Order classes: ATTACK, SUBVERT, LOSE and TAKE."""

from __future__ import annotations

from typing import ClassVar

from gm.orders.kinds.base import SECOND, WITH_WORDS, About, Named, Order, StandingOrder, print_all


class Attack(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="ATTACK",
        phases=(SECOND,),
        usage="ATTACK piece IN province WITH pieces",
        what=(
            "All the named stacks attack the stack in which the piece is. Indented LOSE and TAKE lines belong to it."
        ),
        examples=("ATTACK WU2 SARA IN SARA WITH Sorokin, Markin",),
        rules=("8.0", "J26", "J28", "J29", "J30"),
        words={"in": "_IN", **WITH_WORDS},
        not_now=("5.11", "8.21"),
    )

    target: Named
    province: str
    attackers: tuple[Named, ...]
    lose: tuple[Named, ...] | None = None  # indented under this attack; None: the Phase's LOSE list
    take: tuple[Named, ...] | None = None

    def printed(self) -> str:
        lines = [f"ATTACK {self.target.printed()} IN {self.province} WITH {print_all(self.attackers)}"]
        if self.lose is not None:
            lines.append(f"  LOSE {print_all(self.lose)}")
        if self.take is not None:
            lines.append(f"  TAKE {print_all(self.take, tagged=True)}")
        return "\n".join(lines)


class Subvert(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="SUBVERT",
        phases=(SECOND,),
        usage="SUBVERT piece IN province WITH pieces",
        what="Red stacks next door try to make a Blue stack desert.",
        examples=("SUBVERT BU2 CHER/GE IN CHER WITH Kalinin",),
        rules=("8.3", "J27"),
        words={"in": "_IN", **WITH_WORDS},
        not_now=("5.11", "8.21", "8.3"),
    )

    target: Named
    province: str
    attackers: tuple[Named, ...]

    def printed(self) -> str:
        return f"SUBVERT {self.target.printed()} IN {self.province} WITH {print_all(self.attackers)}"


class Lose(StandingOrder, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="LOSE",
        phases=(SECOND,),
        usage="LOSE pieces",
        what="Which of your pieces go first in an Exchange: in all attacks, or indented under one.",
        examples=("LOSE RU2 KAZA, Markin",),
        rules=("8.44", "J31"),
        done_by=("8.44", "J31"),
    )

    pieces: tuple[Named, ...]

    def printed(self) -> str:
        return f"{self.prefix}LOSE {print_all(self.pieces)}"


class Take(Order, frozen=True, kw_only=True):
    about: ClassVar[About] = About(
        keyword="TAKE",
        phases=(SECOND,),
        usage="TAKE pieces",
        what="Which pieces of an uncontrolled stack go first in an Exchange.",
        examples=("TAKE WL1 Sidorin",),
        rules=("8.46", "J31"),
        done_by=("8.46", "J31"),
    )

    pieces: tuple[Named, ...]

    def printed(self) -> str:
        # The other side's pieces, hence with the tag by which The Bell lists them.
        return f"TAKE {print_all(self.pieces, tagged=True)}"
