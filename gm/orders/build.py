"""From the grammar's rules to orders. Rules at the top give a function that only wants a Resolver: the parse itself
knows no board and no players, so one parser serves every thread and campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer

from gm.orders import model as m
from gm.orders.resolve import Refused, Resolver

Build = Callable[[Resolver], Any]
Children = list[Any]


class Builder(Transformer[Token, Any]):
    """One method a rule of grammar.lark."""

    # Lists and leaves
    def pieces(self, c: Children) -> Children:
        return c

    leaders = players = goods = path = pieces

    def piece(self, c: Children) -> tuple[Token | None, Token]:
        return (c[0], c[1])

    def leader(self, c: Children) -> Token:
        return c[0]  # type: ignore[no-any-return]

    player = place = leader

    def allotment(self, c: Children) -> tuple[Token, Token]:
        return (c[0], c[1])

    def politburo(self, c: Children) -> tuple[str, Token]:
        return ("pm", c[0])

    def assassins(self, c: Children) -> tuple[str, Token]:
        return ("am", c[0])

    def prize_pm(self, c: Children) -> None:
        return None

    def stop(self, c: Children) -> tuple[Token, Children]:
        return (c[0], [h for h in c[1:] if h is not None])

    def pick(self, c: Children) -> tuple[m.Act | None, Any]:
        return (m.Act.PICK, c[0])

    def drop(self, c: Children) -> tuple[m.Act | None, Any]:
        return (m.Act.DROP, c[0])

    def same(self, c: Children) -> tuple[m.Act | None, Any]:
        return (None, c[0])

    # Clauses of PURGE, COUNTERPURGE and EXECUTE
    def partners(self, c: Children) -> tuple[str, Any]:
        return ("WITH", c[0])

    def using(self, c: Children) -> tuple[str, Any]:
        return ("USING", c[0])

    def division(self, c: Children) -> tuple[str, Any]:
        return ("DIVIDE", c)

    def taking(self, c: Children) -> tuple[str, Any]:
        return ("TAKING", c)

    def separately(self, c: Children) -> tuple[str, Any]:
        return ("SEPARATELY", c[0])

    def condition(self, c: Children) -> tuple[str, Any]:
        return ("IF", c[0])

    def if_by(self, c: Children) -> tuple[str, Any]:
        return ("IF", c[0])

    # Trades
    def give(self, c: Children) -> Build:
        what, to, in_return = c
        return lambda r: m.Give(
            what=r.goods(what), to=r.player(to), for_=r.goods(in_return) if in_return is not None else None
        )

    def accept(self, c: Children) -> Build:
        return lambda r: m.Accept(leaders=r.leaders(c[0]), giver=r.player(c[1]))

    def refuse_gifts(self, c: Children) -> Build:
        giver = c[0]
        return lambda r: m.RefuseGifts(giver=None if giver is None else r.player(giver))

    def seize(self, c: Children) -> Build:
        return lambda r: m.Seize(units=r.pieces(c[0]), leader=r.leader(c[1]))

    # Movement
    def move(self, c: Children) -> Build:
        force, path, rail = c
        return lambda r: m.Move(force=r.pieces(force), path=r.path(path), by_rail=rail is not None)

    def move_to(self, c: Children) -> Build:
        force, to, rail = c
        return lambda r: m.Move(force=r.pieces(force), to=r.place(to), by_rail=rail is not None)

    def attach(self, c: Children) -> Build:
        return lambda r: m.Attach(units=r.pieces(c[0]), leader=r.leader(c[1]))

    def stack(self, c: Children) -> Build:
        return lambda r: m.Restack(province=r.place(c[0]), pieces=r.pieces(c[1]))

    def emigrate(self, c: Children) -> Build:
        return lambda r: m.Emigrate(piece=r.imperial(c[0]), province=r.place(c[1]))

    def exit(self, c: Children) -> Build:
        return lambda r: m.Exit(units=r.pieces(c[0]))

    # Politics
    def assassinate(self, c: Children) -> Build:
        targets, markers = c[0], c[1]
        return lambda r: m.Assassinate(
            targets=r.leaders(targets), markers=None if markers.type == "ALL" else int(markers)
        )

    def purge(self, c: Children) -> Build:
        clauses = c[1:]

        def build(r: Resolver) -> m.Purge:
            given = r.clauses(clauses)
            return m.Purge(
                object=r.player(c[0]),
                partners=r.players(given.get("WITH", ())),
                using=int(given.get("USING", 0)),
                division=tuple((r.player(p), int(n)) for p, n in given.get("DIVIDE", ())),
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
        against, clauses = c[0], c[1:]

        def build(r: Resolver) -> m.Counterpurge:
            given = r.clauses(clauses)
            return m.Counterpurge(
                against=against if isinstance(against, m.Against) else r.player(against),
                taking=r.prizes(given.get("TAKING", ())),
                if_by=r.player(given["IF"]) if "IF" in given else None,
            )

        return build

    def execute(self, c: Children) -> Build:
        def build(r: Resolver) -> m.Execute:
            given = r.clauses(c)
            return m.Execute(partners=r.players(given.get("WITH", ())), using=int(given.get("USING", 0)))

        return build

    def comply(self, c: Children) -> Build:
        return lambda r: m.Comply()

    def refuse_execution(self, c: Children) -> Build:
        return lambda r: m.RefuseExecution()

    # Combat
    def attack(self, c: Children) -> Build:
        return lambda r: m.Attack(target=r.piece(c[0]), province=r.place(c[1]), attackers=r.pieces(c[2]))

    def subvert(self, c: Children) -> Build:
        return lambda r: m.Subvert(target=r.piece(c[0]), province=r.place(c[1]), attackers=r.pieces(c[2]))

    def lose(self, c: Children) -> Build:
        return lambda r: m.Lose(pieces=r.pieces(c[0]))

    def take(self, c: Children) -> Build:
        return lambda r: m.Take(pieces=r.pieces(c[0]))

    # The rest
    def vote(self, c: Children) -> Build:
        return lambda r: m.Vote(end=c[0].type == "END")

    def resign(self, c: Children) -> Build:
        return lambda r: m.Resign()

    def standing(self, c: Children) -> Build:
        return lambda r: r.standing(c[0](r))


__all__ = ["Build", "Builder", "Refused"]
