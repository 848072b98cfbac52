"""HELP, STATUS and the rest: one small function a command, in a table at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from gm.campaign import calendar, inbox, intake, lifecycle, lookups, players, rulings
from gm.campaign.links import Purpose
from gm.mail.answers import fold, hang
from gm.mail.authenticate import reply_address
from gm.mail.caller import Caller
from gm.mail.dates import period
from gm.notation import format_position
from gm.orders.calendar import phase_name
from gm.orders.catalogue import CATALOGUE
from gm.orders.help import help_text, topic_text

MAX_BELL = 200_000  # characters of an old Bell in an answer

# Topics of HELP beyond the orders themselves, with their words in templates/mail/help_*.txt.
TOPICS = ("letters", "press", "absent", "extend", "deadlines", "dice", "commands")
_ALSO = {"letter": "letters", "absence": "absent", "extension": "extend", "deadline": "deadlines"}


def help_(visit: Caller, topic: str) -> None:
    word = topic.lower().strip()
    word = _ALSO.get(word, word)
    if word in TOPICS:
        visit.answer.add(f"help_{word}")
    elif word and (text := topic_text(word)) is not None:
        visit.answer.add("help_topic", text=fold(text))
    else:
        topics = ("names", *TOPICS, *(h.keyword for h in CATALOGUE))
        visit.answer.add("help", orders_help=fold(help_text()).strip(), topics=topics, unknown=topic.strip())


def status(visit: Caller, argument: str) -> None:
    state, seat = visit.state, visit.seat
    own = None if seat.is_gm else intake.current_orders(visit.services, seat.campaign, seat.letter)
    visit.answer.add(
        "status",
        state=state,
        phase_name=phase_name(state.turn, state.phase),
        ordered=[s for s in state.seats if s.ordered],
        missing=[s for s in state.seats if s.missing],
        waiting=[s for s in state.seats if s.waiting],
        own=own,
        zone=seat.zone,
        held=sorted(visit.held())[:10],
    )


def positions(visit: Caller, which: str) -> None:
    """All, those of one player, or those in one province."""
    listing = format_position(visit.state.position).rstrip().split("\n")
    lines = [hang(line) for line in listing if not line.strip().startswith(("RANDOMIZER", "FLAG"))]
    wanted = which.strip().upper()
    letters = {s.letter for s in visit.state.seats} | {s.name.upper() for s in visit.state.seats}
    if wanted in letters:
        letter = next(s.letter for s in visit.state.seats if wanted in (s.letter, s.name.upper()))
        lines = [line for line in lines if line.split()[:1] == [letter]]
    elif wanted in visit.services.board.provinces:
        lines = [line for line in lines if f" {wanted}:" in line]
    elif wanted:
        visit.answer.add("positions_unknown", which=which)
        return
    visit.answer.add("positions", lines=lines, which=wanted, state=visit.state, phase=_phase(visit))


def map_(visit: Caller, argument: str) -> None:
    bell = lookups.latest_bell(visit.services, visit.seat.campaign)
    if bell is None:
        visit.answer.add("map_none")
        return
    visit.answer.map_of = bell.number
    visit.answer.add("map", number=bell.number, paper=visit.state.paper)


def history(visit: Caller, number: str) -> None:
    if number.strip("# "):
        bell = lookups.bell(visit.services, visit.seat.campaign, int(number.strip("# ")))
        visit.answer.add("bell", bell=bell, text=bell.text[:MAX_BELL])
        return
    bells = lookups.bells(visit.services, visit.seat.campaign)
    visit.answer.add("history", bells=bells, state=visit.state, zone=visit.seat.zone)


def rulings_(visit: Caller, number: str) -> None:
    sections = rulings.rulings()
    wanted = number.strip().upper()
    if not wanted:
        visit.answer.add("rulings", sections=sections)
        return
    found = [r for s in sections for r in s.items if r.number == wanted or (wanted[0].isdigit() and wanted in r.text)]
    visit.answer.add("ruling", found=found[:8], number=number.strip())


def whoami(visit: Caller, argument: str) -> None:
    seat, settings = visit.seat, visit.services.settings
    token = players.seat_token(visit.services, seat.campaign, seat.letter)
    address = reply_address(settings.orders_address, token)
    visit.answer.add("whoami", seat=seat, state=visit.state, address=address)


def absent(visit: Caller, argument: str) -> None:
    today = visit.mail.received_at.astimezone(ZoneInfo(visit.seat.zone)).date()
    days = period(argument, today)
    if days is None:
        visit.answer.add("absent_unclear", argument=argument, link=visit.link(Purpose.ABSENT))
        return
    seat = visit.seat
    calendar.absent(visit.services, seat.campaign, seat.letter, *days, note="by mail", key=visit.key("absent"))
    visit.answer.add("absent", first=days[0], last=days[1], gm=visit.state.gm_name)


def extend(visit: Caller, argument: str) -> None:
    seat = visit.seat
    calendar.ask_extension(visit.services, seat.campaign, seat.letter, argument, key=visit.key("extend"))
    visit.answer.add("extend", gm=visit.state.gm_name, deadline=visit.state.deadline, zone=seat.zone)


def join(visit: Caller, argument: str) -> None:
    seat = visit.seat
    if seat.status != "invited":
        visit.answer.add("join_already", title=visit.state.name, letter=seat.letter)
        return
    lifecycle.accept(visit.services, seat.campaign, seat.letter, seat.letter)
    others = [s for s in visit.state.seats if s.status == "invited" and s.letter != seat.letter]
    names = [s.name for s in others]
    visit.answer.add("join", title=visit.state.name, letter=seat.letter, others=names, paper=visit.state.paper)


def wait(visit: Caller, argument: str) -> None:
    on = argument.strip().lower() not in ("no", "off", "no more")
    intake.wait(visit.services, visit.seat.campaign, visit.seat.letter, on)
    visit.answer.add("wait", on=on, deadline=visit.state.deadline, zone=visit.seat.zone)


def zone(visit: Caller, name: str) -> None:
    players.set_zone(visit.services, visit.seat.campaign, visit.seat.letter, name.strip())
    visit.answer.add("zone", zone=name.strip(), deadline=visit.state.deadline)


def confirm(visit: Caller, argument: str) -> None:
    """The answer to our question whether a mail was his: to one question, never to all at once, for the others may be
    somebody else's."""
    waiting = set(visit.held())
    meant = [int(argument.strip("# "))] if argument.strip("# ").isdigit() else list(visit.questions_answered())
    chosen = [number for number in meant if number in waiting]
    for number in chosen:
        inbox.release(visit.services, number, visit.seat.letter)
    visit.answer.add("confirm", count=len(chosen), waiting=sorted(waiting - set(chosen)))


def leave(visit: Caller, argument: str) -> None:
    """CONFIRM RESIGN, as the answer to RESIGN told him. The campaign itself writes to him and to the Gamesmaster."""
    players.resign(visit.services, visit.seat.campaign, visit.seat.letter)


def unsubscribe(visit: Caller, argument: str) -> None:
    visit.answer.add("unsubscribe_player", title=visit.state.name)


def _phase(visit: Caller) -> str:
    return phase_name(visit.state.turn, visit.state.phase)


COMMANDS: Mapping[str, Callable[[Caller, str], None]] = {
    "HELP": help_,
    "STATUS": status,
    "POSITIONS": positions,
    "MAP": map_,
    "HISTORY": history,
    "RULINGS": rulings_,
    "WHOAMI": whoami,
    "ABSENT": absent,
    "EXTEND": extend,
    "JOIN": join,
    "WAIT": wait,
    "ZONE": zone,
    "CONFIRM": confirm,
    "LEAVE": leave,
    "UNSUBSCRIBE": unsubscribe,
}
