"""Seats and their holders: looking up by token or address, replacing, resigning, removal, bounces."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.campaign import keys, schedule
from gm.campaign.access import links
from gm.campaign.access.addresses import refused
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.manage.creation import (
    add_player,
    begin_tenure,
    end_tenure,
    needs_standin,
    send_invitations,
)
from gm.campaign.manage.who_plays import must_be_declared, must_not_play
from gm.campaign.notices import explain, render_notice
from gm.campaign.options import is_zone, with_defaults
from gm.campaign.phase import filing
from gm.campaign.phase.awaited import LEAVING, hurried
from gm.campaign.phase.opening import calendar_entry, called_off, tell_all
from gm.campaign.phase.sealing import previous_sheet
from gm.campaign.ports import Attachment, Mail, NewPlayer
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import hash_of
from gm.campaign.tokens import seat_token as token_of
from gm.campaign.transaction import Transaction, at_work, campaign_row, display_name, no_campaign, no_seat
from gm.errors import Invalid, NotAllowed, NotNow
from gm.gamedate import phase_name
from gm.orders.standing import on_file as standing_in
from gm.position import Phase as PhaseName
from gm.reports.issue import Reader
from gm.reports.render.json import read_json
from gm.reports.view.yours import for_player
from gm.standin.strategy import Style
from gm.store.repositories import campaigns, paper, people, submissions
from gm.store.tables import Bell, Campaign, PlayerRow
from gm.store.tables import SeatRow as SeatRow


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat with its holder. Letter GM: the Gamesmaster."""

    campaign: str
    letter: str
    name: str
    address: str
    zone: str
    status: str
    generation: int  # of its keys; 0: none that are good

    @property
    def is_gm(self) -> bool:
        return self.letter == GM


def seat_token(services: Services, campaign: str, letter: str) -> str:
    """The secret part of a seat's reply address; letter GM for the Gamesmaster."""
    with services.store.read() as session:
        if letter == GM:
            generation = campaigns.gm_generation(session, campaign)
        else:
            generation = people.generation(session, campaign, letter)
        if generation is None:
            raise no_campaign(campaign) if campaigns.get(session, campaign) is None else no_seat(campaign, letter)
        return token_of(services.secret_key, campaign, letter, generation)


def seat_by_token(services: Services, token: str) -> Seat | None:
    hashed = hash_of(token)
    with services.store.read() as session:
        found = people.seat_by_token(session, hashed)
        if found is not None:
            if found.name is None or found.address is None or found.zone is None:
                return None  # nobody holds it
            return Seat(
                found.campaign_id, found.letter, found.name, found.address, found.zone, found.status, found.generation
            )
        campaign = campaigns.by_gm_token(session, hashed)
        return _gm_seat(campaign) if campaign is not None and _has_gamesmaster(campaign) else None


def seats_by_address(services: Services, address: str) -> list[Seat]:
    """All that this address holds, Gamesmaster's chairs included."""
    address = address.strip().lower()
    with services.store.read() as session:
        found = [_seat(seat, player) for seat, player in people.seats_by_address(session, address)]
        return found + [_gm_seat(row) for row in campaigns.by_gm_address(session, address) if _has_gamesmaster(row)]


def _has_gamesmaster(campaign: Campaign) -> bool:
    """A game of one person, which has no deadlines, has none: whoever begins one gets no chair with it."""
    return with_defaults(campaign.options).deadlines


KEYS_A_DAY = 3  # that a Gamesmaster makes for one seat
KEYS_KNOWN = 1000  # of a seat, by which a former holder is known


def formerly(services: Services, address: str, tokens: Collection[str], campaign: str | None = None) -> Seat | None:
    """The seat that this address held once, if one of the tokens is the one that it had then, or in a campaign whose
    farewell is answered."""
    if not tokens and campaign is None:
        return None
    with services.store.read() as session:
        for tenure, person in people.past_tenures(session, address.strip().lower()):
            now = people.generation(session, tenure.campaign_id, tenure.letter) or 1
            place = (tenure.campaign_id, tenure.letter)
            lately = range(max(1, now - KEYS_KNOWN), now)
            had = {token_of(services.secret_key, *place, number) for number in lately}
            if tenure.campaign_id == campaign or had & set(tokens):
                return Seat(*place, person.name, person.address, person.zone, "gone", 0)
    return None


def has_changed_hands(services: Services, campaign: str, letter: str, since: datetime) -> bool:
    """Whether somebody has lost the seat since then: what waited from before is not its present holder's."""
    with services.store.read() as session:
        held = people.tenures(session, campaign, letter)
    return any(tenure.ended_at is not None and tenure.ended_at > since for tenure in held)


def is_named_like_another(services: Services, seat: Seat, name: str, address: str) -> bool:
    """Whether a mail to this seat's address is written in the name of somebody else whom the campaign knows."""
    with services.store.read() as session:
        known = people.everyone(session, seat.campaign)
    words = " ".join(name.lower().split())
    others = [p for p in known if p.address != seat.address and p.name.lower() != seat.name.lower()]
    return any(p.address == address.lower() or p.name.lower() == words for p in others)


def seat_of(services: Services, campaign: str, letter: str) -> Seat:
    with services.store.read() as session:
        row = campaign_row(session, campaign)
        if letter == GM:
            return _gm_seat(row)
        for seat, player in people.seats_with_holders(session, campaign):
            if seat.letter == letter:
                return _seat(seat, player)
        raise no_seat(campaign, letter)


def _seat(seat: SeatRow, player: PlayerRow | None) -> Seat:
    who = (player.name, player.address, player.zone) if player is not None else (seat.letter, "", "UTC")
    return Seat(seat.campaign_id, seat.letter, *who, seat.status, seat.generation)


def _gm_seat(campaign: Campaign) -> Seat:
    zone = str(campaign.options.get("zone", "UTC"))
    return Seat(campaign.id, GM, campaign.gm_name, campaign.gm_address, zone, "held", campaign.gm_generation)


def replace(services: Services, campaign: str, letter: str, new: NewPlayer, actor: str = GM, reason: str = "") -> None:
    """Give the seat with all that is on file to somebody else, and brief them; the others are told. The old reply
    address stops working. `reason`: for whoever had the seat."""
    _check(services, new)
    with at_work(services, campaign, actor, "inviting", "running", "paused") as work:
        seat, old = work.seat(letter)
        accepted = work.campaign.status != "inviting" or (seat.status == "held" and old is not None)
        if work.campaign.gm_letter is not None and actor == GM and accepted:
            what = "a Gamesmaster who plays gives no seat away: with it go its orders and letters"
            raise NotAllowed("gm-plays", what, "whoever keeps the installation does it: gm campaign replace")
        if seat.status == "quit":
            raise NotNow("quit", f"{letter} has left the game", "a seat can be filled until the Phase is adjudicated")
        if seat.status in LEAVING and work.phase.state == "sealed":
            raise NotNow("sealed", f"{letter} leaves with the Phase that is sealed", "it is too late for this seat")
        must_be_declared(work.campaign, letter, new.address)
        before = display_name(seat, old) if old or seat.standin else ""
        left = seat.status in LEAVING
        again = left and old is not None and old.address == new.address.lower()
        if any(p.address == new.address.lower() for s, p in work.table if p is not None and s.letter != letter):
            raise Invalid("address", f"{new.address} holds another seat", "one person, one seat")
        if old is not None and not again:
            to = (old.name, old.address, old.zone, None)
            key = keys.once(letter, seat.generation)
            off = called_off(work, work.phase) if not left else ()  # they have that already
            inviting = work.campaign.status == "inviting"
            facts = {"inviting": inviting, "left": left, "keeper": bool(work.campaign.gm_letter) and not inviting}
            facts["public"] = work.options.public
            work.write_to(*to, "replaced", key, off, seat=letter, successor=new.name, reason=reason, **facts)
        if again and old is not None:
            player = _give_back(work, seat, old)
        else:
            player = _standby(work, new) or add_player(work, new, "player")
            player.role = "player"
            _hand_over(work, seat, old, player, "replaced")
            begin_tenure(work, letter, player)
        seat.standin, seat.style = False, None
        work.session.flush()
        if work.campaign.status == "inviting":
            seat.status = "invited"
            send_invitations(work, (letter,))
        else:
            seat.status = "held"
            work.answering = letter  # they have the briefing
            with work.mail_last():
                _consider_early_close(work)
            _brief(work, letter, player, "" if again else before, again)
            told = {"who": player.name, "seat": letter, "before": before, "old": old.name if old else "", "left": left}
            tell_all(work, "newcomer", keys.once(letter, seat.generation), **told, reason=reason, again=again)
            work.answering = None
        work.audit("replace", letter=letter, name=player.name, reason=reason)


def _hand_over(work: Transaction, seat: SeatRow, old: PlayerRow | None, new: PlayerRow | None, why: str) -> None:
    """The seat changes hands; None: nobody's. The old reply address and the old links stop working."""
    if old is not None:
        old.role = "gone"
        end_tenure(work, seat.letter, why)
    seat.player_id = new.id if new is not None else None
    _next_generation(work, seat)
    seat.nmr_count, seat.bounce = 0, None
    work.session.flush()
    work.__dict__.pop("table", None)  # read it anew


def _give_back(work: Transaction, seat: SeatRow, holder: PlayerRow) -> PlayerRow:
    """Who was leaving plays on, under new keys: the briefing brings them."""
    holder.role = "player"
    _next_generation(work, seat)
    seat.nmr_count, seat.bounce = 0, None
    return holder


def _consider_early_close(work: Transaction) -> None:
    if work.phase.state in ("open", "grace"):
        filing.consider_early_close(work, work.phase)


def leave_to_standin(
    services: Services, campaign: str, letter: str, style: str | None = None, actor: str | None = None
) -> None:
    """A player leaves at once, and a stand-in has the seat to itself until somebody takes it over."""
    needs_standin(services)
    _check_style(style)
    with at_work(services, campaign, actor or letter, "running", "paused") as work:
        seat, holder = work.seat(letter)
        if holder is None:
            raise NotNow("nobody", f"nobody holds {letter}", "nothing is left to do")
        _must_stay(seat)
        if work.campaign.gm_letter == letter:
            raise NotNow("gm-plays", f"{letter} is the Gamesmaster's own seat", "let the stand-in play it for a while")
        name, generation = holder.name, seat.generation
        # Not as the seat's own mail: that would carry a link into it.
        to = (name, holder.address, holder.zone, None)
        work.write_to(*to, "left_to_standin", keys.once(letter, generation), letter=letter)
        _hand_over(work, seat, holder, None, "left")
        seat.status, seat.standin, seat.style = "held", True, style
        _tell_that_leaves(work, seat, name, "standin", generation, standin=display_name(seat, None), reason="")
        work.audit("leave", letter=letter, name=name, style=style)
        _consider_early_close(work)


def new_keys(services: Services, campaign: str, letter: str, actor: str = GM) -> None:
    """New keys for a seat (GM: the Gamesmaster's chair): every old link, reply address, token and cookie ends now.

    The new ones go to the holder's mail address and to nobody else. Until they are there the seat is shut to its
    holder too: a Gamesmaster who plays makes none for others, and one who does not only a few a day.
    """
    with at_work(services, campaign, actor) as work:
        if letter == GM:
            row = work.campaign
            row.gm_generation += 1
            row.gm_token_hash = hash_of(token_of(services.secret_key, campaign, GM, row.gm_generation))
            work.tell_gm("new_keys", str(row.gm_generation))
        else:
            seat, _ = work.seat(letter)
            _must_not_shut_out(work, letter)
            _next_generation(work, seat)
            work.tell(letter, "new_keys", str(seat.generation))
        work.audit("new-keys", letter=letter)


def _must_not_shut_out(work: Transaction, letter: str) -> None:
    if work.actor != GM:
        return
    if letter != work.campaign.gm_letter:
        must_not_play(work, "makes no new keys for others: until the mail is there, the seat is shut to its holder")
    done = campaigns.done_by(work.session, work.campaign.id, GM, ("new-keys",), work.now - timedelta(days=1))
    if sum(data.get("letter") == letter for _, data in done) >= KEYS_A_DAY:
        what = f"{letter} got new keys {KEYS_A_DAY} times within a day, and each time its holder was shut out"
        raise NotNow("keys", what, "wait a day; its holder can make new ones, and whoever keeps the installation")


def _next_generation(work: Transaction, seat: SeatRow) -> None:
    seat.generation += 1
    seat.token_hash = hash_of(token_of(work.services.secret_key, work.campaign.id, seat.letter, seat.generation))


def _check(services: Services, new: NewPlayer) -> None:
    if wrong := refused(services.settings, new.address):
        raise Invalid("address", wrong, "give one that this person reads, such as anna@example.org")
    if not new.name.strip() or not is_zone(new.zone):
        raise Invalid("player", "a player needs a name, a mail address and a time zone", "such as UTC or Europe/London")


def _standby(work: Transaction, new: NewPlayer) -> PlayerRow | None:
    known = people.everyone(work.session, work.campaign.id, "standby", "reader")
    return next((p for p in known if p.address == new.address.lower()), None)


def _brief(work: Transaction, letter: str, player: PlayerRow, predecessor: str, again: bool = False) -> None:
    """All a newcomer needs: where the campaign stands, what is on file, the last Bell."""
    phase, paused = work.phase, work.campaign.status == "paused"
    bell = paper.latest_bell(work.session, work.campaign.id)
    sent = submissions.current_of(work.session, work.key, letter)
    on_file = sent.canonical if sent is not None and sent.status == "taken" else ""
    before = previous_sheet(work, phase, letter) if not on_file else None
    subject, text = render_notice(
        "briefing",
        campaign=work.campaign.id,
        title=work.campaign.name,
        paper=work.campaign.paper,
        gm=work.campaign.gm_name,
        name=player.name,
        letter=letter,
        zone=player.zone,
        base_url=work.services.settings.base_url,
        predecessor=predecessor,
        again=again,
        deadline=phase.grace_until or phase.deadline if phase.state in ("open", "grace") else None,
        paused=paused,
        phase_name=phase_name(phase.turn, phase.phase),
        pregame=phase.phase == PhaseName.PREGAME,
        players=[
            f"{display_name(seat, holder)} ({seat.letter})" for seat, holder in work.table if seat.status != "quit"
        ],
        box=_standing_of(work, letter, bell),
        others=[seat.letter for seat, _ in work.table if seat.status != "quit" and seat.letter != letter],
        options=explain(work.options, work.board, dealt=True),
        orders=on_file,
        standing=[order.printed() for order in standing_in(before)] if before is not None else [],
        bell=bell.number if bell is not None else None,
        void=[f"#{row.number}" for row in paper.bell_lines(work.session, work.campaign.id) if row.void],
        o=work.options,
        here=schedule.hours_in(work.options, player.zone, work.now),
    )
    printed = (Attachment(f"bell-{bell.number}.txt", "text/plain", bell.text),) if bell is not None else ()
    attachments = (*printed, *(() if paused else calendar_entry(work, phase)))
    generation = work.seat(letter)[0].generation
    key = keys.of_campaign(work.campaign.id, "briefing", letter, generation)
    to = (player.address, player.name)
    work.mail(Mail(key, "briefing", *to, subject, text, work.campaign.id, letter, attachments=attachments))


TOLD_TO_NEWCOMERS = ("score", "front", "more_fronts", "exposed", "subvert", "subvert_doubled", "more_subvert", "next")


def _standing_of(work: Transaction, letter: str, bell: Bell | None) -> list[str]:
    """What the box of the last issue says of a seat's points, enemies and chances, on the positions that hold now."""
    if bell is None or "bell" not in bell.json or work.phase.phase == PhaseName.SETUP:
        return []
    printed = read_json(work.board, bell.json)
    seen = for_player(work.board, printed.view, work.position(), Reader(letter)).yours
    return [item.text for item in seen if item.kind in TOLD_TO_NEWCOMERS]


def remove(services: Services, campaign: str, letter: str, reason: str, actor: str = GM) -> None:
    """The Gamesmaster takes a player out (14.2, J37), with effect after the Phase; until then a seat can be filled."""
    _leave(services, campaign, letter, "removed", reason, actor)


def resign(services: Services, campaign: str, letter: str, actor: str | None = None) -> None:
    """A player leaves, confirmed. The Gamesmaster may still replace them before the Phase is adjudicated."""
    _leave(services, campaign, letter, "resigning", "", actor or letter)


def _leave(services: Services, campaign: str, letter: str, status: str, reason: str, actor: str) -> None:
    with at_work(services, campaign, actor, "running", "paused") as work:
        seat, holder = work.seat(letter)
        _must_stay(seat)
        seat.status = status
        work.audit(status, letter=letter, reason=reason)
        phase = work.phase  # a seat is left once in each, and who is told of that is told once
        generation = f"{seat.generation}/{(phase.opened_at or work.now).isoformat()}"
        orders = submissions.current_of(work.session, work.key, letter)
        is_open = phase.state in ("open", "grace")
        may_hurry = work.options.early_close and not hurried(work, phase)
        facts: dict[str, object] = {
            "orders": orders is not None and orders.status == "taken",
            "open": is_open,
            "phase_name": phase_name(phase.turn, phase.phase),
            "pregame": phase.phase == PhaseName.PREGAME,
            "reason": reason,
        }
        off = called_off(work, phase)
        with work.mail_last():
            _consider_early_close(work)
        runs = is_open and work.campaign.status != "paused"
        facts["deadline"] = phase.grace_until or phase.deadline if runs else None
        facts["early"] = may_hurry and phase.state == "open" and phase.full_deadline is None
        work.tell(letter, status, generation, off, **facts)
        _tell_that_leaves(work, seat, display_name(seat, holder), status, generation, **facts)


def _must_stay(seat: SeatRow) -> None:
    """Nobody leaves twice: who was taken out would else turn that into another way of going."""
    if seat.status in LEAVING:
        raise NotNow("quit", f"{seat.letter} has left the game already", "nothing is left to do", status=seat.status)


def _tell_that_leaves(
    work: Transaction, seat: SeatRow, who: str, status: str, generation: object, **facts: object
) -> None:
    """The others and the Gamesmaster, at once; the reason is for the Gamesmaster and whoever leaves."""
    key = keys.once(seat.letter, generation)
    told = {"who": who, "seat": seat.letter, "status": status, "gm_plays": work.campaign.gm_letter is not None}
    tell_all(work, "leaving", key, **told, **facts)


def set_standin(
    services: Services, campaign: str, letter: str, on: bool, actor: str = GM, style: str | None = None
) -> None:
    """Let a stand-in play a seat whenever no orders come; `style`: how, if not as the campaign has it."""
    if on:
        needs_standin(services)
    _check_style(style)
    with at_work(services, campaign, actor) as work:
        seat, holder = work.seat(letter)
        if not on and holder is None:
            raise NotNow("nobody", f"nobody holds {letter}", "give the seat to somebody: gm campaign replace")
        if seat.standin != on:
            work.tell(letter, "standin", keys.once(letter, on, work.now.isoformat()), on=on)
        if holder is None:  # an invitation was declined: it has the seat to itself
            seat.status = "held"
            _next_generation(work, seat)
        seat.standin, seat.style = on, style if on else None
        work.audit("standin", letter=letter, on=on, style=style)
        _consider_early_close(work)


def _check_style(style: str | None) -> None:
    if style is not None and style not in list(Style):
        raise Invalid("style", f"there is no style {style}", f"known: {', '.join(Style)}")


def add_standby(services: Services, campaign: str, new: NewPlayer, actor: str = GM) -> None:
    _add(services, campaign, new, "standby", actor)


def add_reader(services: Services, campaign: str, new: NewPlayer, actor: str = GM) -> None:
    _add(services, campaign, new, "reader", actor)


def _add(services: Services, campaign: str, new: NewPlayer, role: str, actor: str) -> None:
    _check(services, new)
    with at_work(services, campaign, actor) as work:
        known = people.everyone(work.session, campaign, "player", "standby", "reader")
        if not any(p.address == new.address.lower() for p in known):
            add_player(work, new, role)
            work.audit(role, name=new.name)


def unsubscribe(services: Services, campaign: str, address: str, actor: str | None = None) -> bool:
    """A reader or standby, or who has left the game, gets no more mail, by their own wish or the Gamesmaster's.
    Players leave by resigning."""
    with at_work(services, campaign, actor or address) as work:
        readers = [*people.everyone(work.session, campaign, "standby", "reader")]
        readers += [holder for seat, holder in work.table if holder is not None and seat.status in LEAVING]
        found = [person for person in readers if person.address == address.lower()]
        for person in found:
            person.role = "gone"
            work.audit("unsubscribe", name=person.name)
        return bool(found)


def offer_to_unsubscribe(services: Services, campaign: str, address: str) -> bool:
    """Mail a reader or standby the link that takes them off the list, once a day: somebody asked in their name."""
    with at_work(services, campaign, address) as work:
        for person in people.everyone(work.session, campaign, "standby", "reader"):
            if person.address == address.lower():
                ticket = Ticket(Purpose.UNSUBSCRIBE, campaign, "", person.address, {"address": person.address})
                link = links.url(services, links.sign(services, ticket))
                subject, text = render_notice("unsubscribe", name=person.name, title=work.campaign.name, link=link)
                key = keys.once("unsubscribe", campaign, person.address, work.now.date().isoformat())
                work.mail(Mail(key, "answer", person.address, person.name, subject, text, campaign))
                return True
    return False


def set_zone(services: Services, campaign: str, letter: str, zone: str) -> None:
    if not is_zone(zone):
        raise Invalid("zone", f"{zone!r} is no time zone", "such as UTC or Europe/London")
    with at_work(services, campaign, letter) as work:
        _, holder = work.seat(letter)
        if holder is not None:
            holder.zone = zone
            work.audit("zone", letter=letter, zone=zone)


def readers(services: Services, campaign: str) -> Sequence[PlayerRow]:
    """Standbys and readers, who get every Bell."""
    with services.store.read() as session:
        return people.everyone(session, campaign, "standby", "reader")
