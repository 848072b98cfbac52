"""Building orders from the grammar's rules. Top rules give a function that only needs a Resolver: the parse itself
knows no words, no board and no players, so what it made serves every line of the same shape, thread and campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer

from gm.orders import kinds as m
from gm.orders.language.resolve import Counted, Resolver, Slot

Build = Callable[[Resolver], m.Order]
Children = list[Any]
Clause = tuple[str, Any]


class Builder(Transformer[Token, Build]):
    """One method a rule of grammar.lark. Of a word only its place in the line is known."""

    def __default_token__(self, token: Token) -> Slot:
        assert token.start_pos is not None  # grammar.py counts them
        return token.start_pos

    def ALL(self, token: Token) -> None:
        return None

    def END(self, token: Token) -> bool:
        return True

    def CONTINUE(self, token: Token) -> bool:
        return False

    # Lists and leaves
    def pieces(self, c: Children) -> Children:
        return c

    leaders = players = goods = path = pieces

    def counted(self, c: Children) -> Counted:
        return (c[0], c[1])

    allotment = counted

    def politburo(self, c: Children) -> Clause:
        return ("pm", c[0])

    def assassins(self, c: Children) -> Clause:
        return ("am", c[0])

    def prize_pm(self, c: Children) -> None:
        return None

    def stop(self, c: Children) -> tuple[Slot, Children]:
        return (c[0], c[1:])

    def pick(self, c: Children) -> tuple[m.Act | None, Counted]:
        return (m.Act.PICK, c[0])

    def drop(self, c: Children) -> tuple[m.Act | None, Counted]:
        return (m.Act.DROP, c[0])

    def same(self, c: Children) -> tuple[m.Act | None, Counted]:
        return (None, c[0])

    # Clauses of PURGE, COUNTERPURGE and EXECUTE
    def partners(self, c: Children) -> Clause:
        return ("WITH", c[0])

    def using(self, c: Children) -> Clause:
        return ("USING", c[0])

    def division(self, c: Children) -> Clause:
        return ("DIVIDE", c)

    def taking(self, c: Children) -> Clause:
        return ("TAKING", c)

    def separately(self, c: Children) -> Clause:
        return ("SEPARATELY", c[0])

    def condition(self, c: Children) -> Clause:
        return ("IF", c[0])

    if_by = condition

    # Trades
    def give(self, c: Children) -> Build:
        what, to, *in_return = c
        return lambda r: r.make(
            m.Give, what=r.goods(what), to=r.player(to), for_=r.goods(in_return[0]) if in_return else None
        )

    def accept(self, c: Children) -> Build:
        return lambda r: r.make(m.Accept, leaders=r.leaders(c[0]), giver=r.player(c[1]))

    def refuse_gifts(self, c: Children) -> Build:
        return lambda r: r.make(m.RefuseGifts, giver=r.player(c[0]) if c else None)

    def seize(self, c: Children) -> Build:
        return lambda r: r.make(m.Seize, units=r.pieces(c[0]), leader=r.leader(c[1]))

    # Movement
    def move(self, c: Children) -> Build:
        return lambda r: r.make(m.Move, force=r.pieces(c[0]), path=r.path(c[1]), by_rail=len(c) == 3)

    def move_to(self, c: Children) -> Build:
        return lambda r: r.make(m.Move, force=r.pieces(c[0]), to=r.place(c[1]), by_rail=len(c) == 3)

    def attach(self, c: Children) -> Build:
        return lambda r: r.make(m.Attach, units=r.pieces(c[0]), leader=r.leader(c[1]))

    def stack(self, c: Children) -> Build:
        return lambda r: r.make(m.Restack, province=r.place(c[0]), pieces=r.pieces(c[1]))

    def emigrate(self, c: Children) -> Build:
        return lambda r: r.make(m.Emigrate, piece=r.imperial(c[0]), province=r.place(c[1]))

    def exit(self, c: Children) -> Build:
        return lambda r: r.make(m.Exit, units=r.pieces(c[0]))

    # Politics
    def assassinate(self, c: Children) -> Build:
        targets, markers = c
        return lambda r: r.make(
            m.Assassinate, targets=r.leaders(targets), markers=None if markers is None else r.number(markers)
        )

    def purge(self, c: Children) -> Build:
        def build(r: Resolver) -> m.Purge:
            given = r.clauses(c[1:])
            return r.make(
                m.Purge,
                object=r.player(c[0]),
                partners=r.players(given.get("WITH", ())),
                using=r.number(given["USING"]) if "USING" in given else 0,
                division=tuple([(r.player(p), r.number(n)) for p, n in given.get("DIVIDE", ())]),
                taking=r.prizes(given.get("TAKING", ())),
                separately="SEPARATELY" in given,
                conditional="IF" in given,
            )

        return build

    def strongest(self, c: Children) -> m.Against:
        return m.Against.STRONGEST

    def weakest(self, c: Children) -> m.Against:
        return m.Against.WEAKEST

    def never(self, c: Children) -> m.Against:
        return m.Against.NEVER

    def counterpurge(self, c: Children) -> Build:
        against = c[0]

        def build(r: Resolver) -> m.Counterpurge:
            given = r.clauses(c[1:])
            return r.make(
                m.Counterpurge,
                against=against if isinstance(against, m.Against) else r.player(against),
                taking=r.prizes(given.get("TAKING", ())),
                if_by=r.player(given["IF"]) if "IF" in given else None,
            )

        return build

    def execute(self, c: Children) -> Build:
        def build(r: Resolver) -> m.Execute:
            given = r.clauses(c)
            using = r.number(given["USING"]) if "USING" in given else 0
            return r.make(m.Execute, partners=r.players(given.get("WITH", ())), using=using)

        return build

    def comply(self, c: Children) -> Build:
        return lambda r: r.make(m.Comply)

    def refuse_execution(self, c: Children) -> Build:
        return lambda r: r.make(m.RefuseExecution)

    # Combat
    def attack(self, c: Children) -> Build:
        return lambda r: r.make(m.Attack, target=r.piece(c[0]), province=r.place(c[1]), attackers=r.pieces(c[2]))

    def subvert(self, c: Children) -> Build:
        return lambda r: r.make(m.Subvert, target=r.piece(c[0]), province=r.place(c[1]), attackers=r.pieces(c[2]))

    def lose(self, c: Children) -> Build:
        return lambda r: r.make(m.Lose, pieces=r.pieces(c[0]))

    def take(self, c: Children) -> Build:
        return lambda r: r.make(m.Take, pieces=r.pieces(c[0]))

    # Solitaire
    def deploy(self, c: Children) -> Build:
        return lambda r: r.make(m.Deploy, leader=r.leader(c[0]), province=r.place(c[1]))

    def deploy_on(self, c: Children) -> Build:
        return lambda r: r.make(m.Deploy, leader=r.leader(c[0]), unit=r.piece(c[1]))

    def done(self, c: Children) -> Build:
        return lambda r: r.make(m.Done)

    # The rest
    def vote(self, c: Children) -> Build:
        return lambda r: r.make(m.Vote, end=c[0])

    def resign(self, c: Children) -> Build:
        return lambda r: r.make(m.Resign)

    def standing(self, c: Children) -> Build:
        return lambda r: r.standing(c[0](r))
