"""Random order sheets for the players of a rehearsal: legal and illegal orders."""

from __future__ import annotations

from random import Random

from gm.board.model import Board, Color, Piece
from gm.orders import kinds as m
from gm.position import Phase, Player, Position, Stack


class RandomPlayer:
    def __init__(self, board: Board, rng: Random) -> None:
        self.board = board
        self.rng = rng
        self.provinces = sorted(board.provinces)
        self.pieces = list(board.pieces.values())

    def sheet(self, position: Position, player: Player) -> m.Sheet:
        orders: list[m.Order] = []
        if position.phase is Phase.PREGAME:
            orders = [self._give(position, player) for _ in range(self.rng.randint(0, 4))]
            orders += [m.Accept(leaders=(self._leader(),), giver=self._other(position, player))]
        else:
            makers = self._first if position.phase is Phase.FIRST else self._second
            orders = makers(position, player) + self._politics(position, player)
        if self.rng.random() < 0.05:
            orders.append(m.Unread(source="MOVE over there"))
        if self.rng.random() < 0.05:  # an order of the other Phase
            orders.append(m.Restack(province="TVER", pieces=(m.Named((self._leader(),)),)))
        if self.rng.random() < 0.004:
            orders.append(m.Resign())
        return m.Sheet(tuple(orders))

    # --- naming ---

    def _other(self, position: Position, player: Player) -> Player:
        return self.rng.choice([p for p in position.players if p != player])

    def _leader(self) -> Piece:
        return self.rng.choice(self.board.leaders)

    def _named(self, piece: Piece) -> m.Named:
        twins = self.board.twins[piece.twin_key]
        return m.Named(twins, self.rng.choice((1, 1, 1, 2)) if len(twins) > 1 else 1)

    def _some(self, stack: Stack) -> list[Piece]:
        if self.rng.random() < 0.6:
            return list(stack.pieces)
        chosen = [p for p in stack.pieces if self.rng.random() < 0.7] or [stack.pieces[0]]
        self.rng.shuffle(chosen)
        return chosen

    # --- First Phase ---

    def _first(self, position: Position, player: Player) -> list[m.Order]:
        orders: list[m.Order] = []
        for stack in position.owned(player):
            if self.rng.random() < 0.75:
                orders.append(self._move(position, stack))
        for stack in position.owned(player):
            roll = self.rng.random()
            if roll < 0.1:
                here = [p for s in position.at(stack.province) for p in s.pieces]
                chosen = tuple(self._named(p) for p in self.rng.sample(here, min(len(here), 4)))
                orders.append(m.Restack(province=stack.province, pieces=chosen))
            elif roll < 0.15 and stack.leaders:
                units = [p for s in position.at(stack.province) for p in s.units]
                if units:
                    orders.append(m.Attach(units=(self._named(self.rng.choice(units)),), leader=stack.leaders[0]))
            for imperial in stack.imperials:
                if self.rng.random() < 0.1:
                    orders.append(m.Emigrate(piece=imperial, province=stack.province))
        if self.rng.random() < 0.2:
            orders.append(m.Exit(units=(self._named(self.board.pieces[420]),)))
        for _ in range(self.rng.randint(0, 2)):
            targets = tuple(self._leader() for _ in range(self.rng.randint(1, 3)))
            orders.append(m.Assassinate(targets=targets, markers=self.rng.choice((None, 1, 2, 3))))
        self.rng.shuffle(orders)
        return orders

    def _move(self, position: Position, stack: Stack) -> m.Move:
        force = [self._named(p) for p in self._some(stack)]
        if self.rng.random() < 0.25:  # something that stands beside it, or anything at all
            near = [p for s in position.at(stack.province) for p in s.pieces] + [self.rng.choice(self.pieces)]
            force.append(self._named(self.rng.choice(near)))
        if self.rng.random() < 0.1:
            return m.Move(force=tuple(force), to=self.rng.choice(self.provinces))
        by_rail = self.rng.random() < 0.2
        here = stack.province
        stops = [m.Stop(here, self._handling(position, here, force))] if self.rng.random() < 0.9 else []
        for _ in range(self.rng.randint(1, 7)):
            near_by = sorted(self.board.rail_steps.get(here, ())) if by_rail else sorted(self.board.borders[here])
            here = self.rng.choice(near_by) if near_by and self.rng.random() < 0.95 else self.rng.choice(self.provinces)
            stops.append(m.Stop(here, self._handling(position, here, force)))
        return m.Move(force=tuple(force), path=tuple(stops), by_rail=by_rail)

    def _handling(self, position: Position, province: str, force: list[m.Named]) -> tuple[m.Handling, ...]:
        found = []
        here = [p for s in position.at(province) for p in s.pieces]
        if here and self.rng.random() < 0.5:
            found.append(m.Handling(m.Act.PICK, self._named(self.rng.choice(here))))
        if self.rng.random() < 0.15:
            found.append(m.Handling(m.Act.DROP, self.rng.choice(force)))
        return tuple(found)

    # --- Second Phase ---

    def _second(self, position: Position, player: Player) -> list[m.Order]:
        orders: list[m.Order] = []
        for stack in position.owned(player):
            others = [s for s in position.at(stack.province) if s is not stack]
            if others and self.rng.random() < 0.8:
                target = self.rng.choice(others)
                mine = [s for s in position.at(stack.province) if s.owner == player]
                attackers = tuple(
                    self._named(s.pieces[0]) for s in self.rng.sample(mine, self.rng.randint(1, len(mine)))
                )
                lose = tuple(self._named(p) for p in stack.pieces[-1:]) if self.rng.random() < 0.3 else None
                take = tuple(self._named(p) for p in target.pieces[-1:]) if self.rng.random() < 0.3 else None
                orders.append(
                    m.Attack(
                        target=self._named(self.rng.choice(target.pieces)),
                        province=stack.province,
                        attackers=attackers,
                        lose=lose,
                        take=take,
                    )
                )
            if stack.color is Color.RED and self.rng.random() < 0.5:
                near_by = [s for p in self.board.borders[stack.province] for s in position.at(p)]
                blues = [s for s in near_by if s.color is Color.BLUE] or near_by
                if blues:
                    target = self.rng.choice(blues)
                    orders.append(
                        m.Subvert(
                            target=self._named(target.pieces[0]),
                            province=target.province,
                            attackers=(self._named(stack.pieces[0]),),
                        )
                    )
        if self.rng.random() < 0.3:
            orders.append(m.Lose(pieces=tuple(self._named(self.rng.choice(self.pieces)) for _ in range(5))))
        if self.rng.random() < 0.3:
            orders.append(m.Take(pieces=tuple(self._named(self.rng.choice(self.pieces)) for _ in range(5))))
        self.rng.shuffle(orders)
        return orders

    # --- both ---

    def _give(self, position: Position, player: Player) -> m.Give:
        def goods() -> m.Goods:
            leaders: tuple[Piece, ...] = ()
            if self.rng.random() < (0.7 if position.phase is Phase.PREGAME else 0.05):
                own = [p for s in position.owned(player) for p in s.leaders]
                leaders = tuple(self.rng.sample(own, min(len(own), self.rng.randint(1, 2))))
            return m.Goods(self.rng.randint(0, 2), self.rng.randint(0, 1), leaders)

        return m.Give(
            what=goods(),
            to=self._other(position, player),
            for_=goods() if self.rng.random() < 0.5 else None,
        )

    def _politics(self, position: Position, player: Player) -> list[m.Order]:
        rng = self.rng
        orders: list[m.Order] = []
        if rng.random() < 0.3:
            orders.append(self._give(position, player))
        for stack in position.owned(player):
            if self.board.gold in stack.pieces and stack.leaders:
                greens = [p for s in position.at(stack.province) for p in s.units if p.color is Color.GREEN]
                if greens:
                    orders.append(m.Seize(units=(self._named(rng.choice(greens)),), leader=stack.leaders[0]))
        # A standing conspiracy of the first players, so that some orders agree.
        plotters = position.active[: max(1, len(position.active) - 1)]
        victim = position.active[-1]
        if player in plotters and rng.random() < 0.9:
            partners = tuple(p for p in plotters if p != player)
            division = tuple((p, 1 + i % 2) for i, p in enumerate(plotters))
            taking = tuple(rng.choice([None, self._leader()]) for _ in range(rng.randint(0, 2)))
            orders.append(
                m.Purge(
                    object=victim,
                    partners=partners,
                    using=position.box(player).pm,
                    division=division if partners else (),
                    taking=taking,
                    separately=position.turn % 3 == 0,
                )
            )
            orders.append(m.Execute(partners=partners, using=position.box(player).pm))
        orders.append(rng.choice([m.Comply(), m.RefuseExecution(), m.Vote(end=rng.random() < 0.5), m.RefuseGifts()]))
        against = rng.choice([m.Against.STRONGEST, m.Against.WEAKEST, m.Against.NEVER, self._other(position, player)])
        orders.append(m.Counterpurge(against=against, taking=(None,), if_by=rng.choice([None, "A"])))
        return orders
