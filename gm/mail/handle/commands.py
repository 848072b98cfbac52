"""Mail commands (HELP, STATUS, POSITIONS, CONFIRM, ...): one function per command, in a table at the end."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import inbox
from gm.campaign.phase import awaited, intake
from gm.campaign.reads import lookups, rulings
from gm.campaign.seats import creation, deadlines, holders, proposals
from gm.gamedate import phase_name
from gm.mail.handle.answers import fold, hang
from gm.mail.handle.dates import period
from gm.mail.handle.sender import Correspondent
from gm.mail.identify.recognise import reply_address
from gm.notation import format_position
from gm.orders.help import help_text, topic_text
from gm.orders.kinds.catalogue import CATALOGUE

MAX_BELL = 200_000  # characters of an old Bell in an answer

# Topics of HELP beyond the orders themselves, with their words in templates/mail/help_*.txt.
TOPICS = ("letters", "press", "absent", "extend", "deadlines", "dice", "commands")
_ALSO = {"letter": "letters", "absence": "absent", "extension": "extend", "deadline": "deadlines"}


def help_(visit: Correspondent, topic: str) -> None:
    word = topic.lower().strip()
    word = _ALSO.get(word, word)
    if word in TOPICS:
        visit.answer.add(f"help_{word}")
    elif word in ("rules", "rule"):
        visit.answer.add("help_rules", sections=rulings.rules())
    elif found := _rules(word):
        visit.answer.add("ruling", found=found, number=topic.strip())
    elif word and (text := topic_text(word)) is not None:
        visit.answer.add("help_topic", text=fold(text))
    else:
        topics = ("names", "rules", *TOPICS, *(h.keyword for h in CATALOGUE))
        visit.answer.add("help", orders_help=fold(help_text()).strip(), topics=topics, unknown=topic.strip())


def _rules(word: str) -> tuple[rulings.Ruling, ...]:
    """What `HELP 5.27`, `HELP J7` or `HELP 5` ask for."""
    one = rulings.ruling(word)
    return (one,) if one else rulings.of_section(word) if re.fullmatch(r"[\d.]+", word) else ()


def status(visit: Correspondent, argument: str) -> None:
    state, seat = visit.state, visit.seat
    own = None if seat.is_gm else intake.current_orders(visit.services, seat.campaign, seat.letter)
    shown = state.options.show_ready or seat.is_gm
    visit.answer.add(
        "status",
        state=state,
        shown=shown,
        ready=[s for s in state.seats if s.ready],
        own_ready=any(s.ready for s in state.seats if s.letter == seat.letter),
        own_wait=any(s.waiting for s in state.seats if s.letter == seat.letter),
        phase_name=phase_name(state.turn, state.phase),
        ordered=[s for s in state.seats if s.ordered],
        missing=[s for s in state.seats if s.missing],
        waiting=[s for s in state.seats if s.waiting],
        own=own,
        zone=seat.zone,
        held=sorted(visit.held())[:10],
        gm=seat.is_gm,
        leaves=not seat.is_gm and seat.status in awaited.LEAVING,
    )


def positions(visit: Correspondent, which: str) -> None:
    """All, those of one player, or those in one province."""
    listing = format_position(visit.state.position).rstrip().split("\n")
    lines = [hang(line) for line in listing if not line.strip().startswith(("RANDOMIZER", "FLAG"))]
    wanted = which.strip().upper()
    letters = {s.letter for s in visit.state.seats} | {s.name.upper() for s in visit.state.seats}
    if wanted in letters:
        letter = next(s.letter for s in visit.state.seats if wanted in (s.letter, s.name.upper()))
        lines = [line for line in lines if line.split()[:1] == [letter]]
    elif wanted in visit.state.board.provinces:
        lines = [line for line in lines if f" {wanted}:" in line]
    elif wanted:
        visit.answer.add("positions_unknown", which=which)
        return
    visit.answer.add("positions", lines=lines, which=wanted, state=visit.state, phase=_phase(visit))


def map_(visit: Correspondent, argument: str) -> None:
    bell = lookups.latest_bell(visit.services, visit.seat.campaign)
    if bell is None:
        visit.answer.add("map_none")
        return
    visit.answer.map_of = bell.number
    visit.answer.add("map", number=bell.number, paper=visit.state.paper)


def history(visit: Correspondent, number: str) -> None:
    if number.strip("# "):
        bell = lookups.bell(visit.services, visit.seat.campaign, int(number.strip("# ")))
        visit.answer.add("bell", bell=bell, text=bell.text[:MAX_BELL])
        return
    bells = lookups.bells(visit.services, visit.seat.campaign)
    visit.answer.add("history", bells=bells, state=visit.state, zone=visit.seat.zone)


def rulings_(visit: Correspondent, number: str) -> None:
    sections = rulings.rulings()
    wanted = number.strip().upper()
    if not wanted:
        visit.answer.add("rulings", sections=sections)
        return
    found = [r for s in sections for r in s.items if r.number == wanted or (wanted[0].isdigit() and wanted in r.text)]
    visit.answer.add("ruling", found=found[:8], number=number.strip())


def whoami(visit: Correspondent, argument: str) -> None:
    seat, settings = visit.seat, visit.services.settings
    token = holders.seat_token(visit.services, seat.campaign, seat.letter)
    address = reply_address(settings.orders_address, token)
    visit.answer.add("whoami", seat=seat, state=visit.state, address=address)


STANDIN = re.compile(r"[\s,;:-]*\bstand[\s-]?in\b\.?", re.IGNORECASE)  # ABSENT until 12 March STANDIN


def absent(visit: Correspondent, argument: str) -> None:
    today = visit.mail.received_at.astimezone(ZoneInfo(visit.seat.zone)).date()
    asked = STANDIN.search(argument) is not None
    days = period(STANDIN.sub(" ", argument), today)
    if days is None:
        visit.answer.add("absent_unclear", argument=argument, link=visit.link(Purpose.ABSENT))
        return
    seat = visit.seat
    key = visit.key("absent")
    deadlines.absent(visit.services, seat.campaign, seat.letter, *days, standin=asked, key=key)
    visit.answer.add("absent", first=days[0], last=days[1], gm=visit.state.gm_name, standin=asked)


def extend(visit: Correspondent, argument: str) -> None:
    seat = visit.seat
    deadlines.ask_extension(visit.services, seat.campaign, seat.letter, argument, key=visit.key("extend"))
    due = None if visit.state.status == "paused" else visit.state.deadline
    visit.answer.add("extend", gm=visit.state.gm_name, deadline=due, zone=seat.zone)


def join(visit: Correspondent, argument: str) -> None:
    seat = visit.seat
    if seat.status != "invited":
        visit.answer.add("join_already", title=visit.state.name, letter=seat.letter)
        return
    creation.accept(visit.services, seat.campaign, seat.letter, seat.letter, argument)
    others = [s for s in visit.state.seats if s.status == "invited" and s.letter != seat.letter]
    names = [s.name for s in others]
    visit.answer.add("join", title=visit.state.name, letter=seat.letter, others=names, paper=visit.state.paper)


def ready(visit: Correspondent, argument: str) -> None:
    _say_ready(visit, True)


def wait(visit: Correspondent, argument: str) -> None:
    _say_ready(visit, None if argument.strip().lower() in ("no", "off", "no more") else False)


def _say_ready(visit: Correspondent, said: bool | None) -> None:
    seat = visit.seat
    found = intake.say_ready(visit.services, seat.campaign, seat.letter, said, by_mail=True)
    visit.answer.attachments += found.entry
    names = [s.name for s in visit.state.seats if s.letter in found.awaited]
    visit.answer.add("ready", said=said, found=found, names=names, zone=seat.zone, phase=_phase(visit))


def zone(visit: Correspondent, name: str) -> None:
    holders.set_zone(visit.services, visit.seat.campaign, visit.seat.letter, name.strip())
    visit.seat = dataclasses.replace(visit.seat, zone=name.strip())  # for what else is asked in the same mail
    visit.answer.add("zone", zone=name.strip(), deadline=visit.state.deadline)


def confirm(visit: Correspondent, argument: str) -> None:
    """That a mail was theirs, by its number: for one, never for all at once, for others may be somebody else's."""
    waiting = set(visit.held())
    meant = [int(argument.strip("# "))] if argument.strip("# ").isdigit() else []
    chosen = [number for number in meant if number in waiting]
    for number in chosen:
        inbox.release(visit.services, number, visit.seat.letter)
    visit.answer.add("confirm", count=len(chosen), waiting=sorted(waiting - set(chosen)))


def resign(visit: Correspondent, argument: str) -> None:
    """CONFIRM RESIGN, as the answer to RESIGN asked. The campaign itself writes to the player and the Gamesmaster."""
    holders.resign(visit.services, visit.seat.campaign, visit.seat.letter)


def leave(visit: Correspondent, argument: str) -> None:
    """LEAVE TO STANDIN: asked once more, for all links into the seat end with it."""
    creation.needs_standin(visit.services)
    visit.answer.add("leave", link=visit.link(Purpose.LEAVE), title=visit.state.name)


def left(visit: Correspondent, argument: str) -> None:
    """CONFIRM LEAVE. The seat is not theirs any more: the campaign writes to them, no answer with its keys goes out."""
    holders.leave_to_standin(visit.services, visit.seat.campaign, visit.seat.letter)


def propose(visit: Correspondent, text: str) -> None:
    """PROPOSE and an order that needs partners."""
    seat = visit.seat
    made = proposals.propose(visit.services, seat.campaign, seat.letter, text, visit.key(f"propose/{text}"[:80]))
    visit.answer.add("proposed", proposal=made, letter=seat.letter, names=_player_names(visit))


def agree(visit: Correspondent, argument: str) -> None:
    _answer_proposal(visit, argument, True)


def disagree(visit: Correspondent, argument: str) -> None:
    _answer_proposal(visit, argument, False)


def _answer_proposal(visit: Correspondent, argument: str, agrees: bool) -> None:
    seat, number = visit.seat, int(re.sub(r"\D", "", argument)[:6] or 0)
    done = proposals.answer(visit.services, seat.campaign, seat.letter, number, agrees)
    own = intake.current_orders(visit.services, seat.campaign, seat.letter)
    sheet = own.canonical if own else ""
    visit.answer.add("agreed", number=number, agrees=agrees, withdrawn=done.withdrawn, filed=done.filed, own=sheet)


def _player_names(visit: Correspondent) -> dict[str, str]:
    return {seat.letter: f"{seat.name} ({seat.letter})" for seat in visit.state.seats}


def unsubscribe(visit: Correspondent, argument: str) -> None:
    seat = visit.seat
    out = not seat.is_gm and holders.unsubscribe(visit.services, seat.campaign, seat.address, seat.letter)
    visit.answer.add("unsubscribe_player", title=visit.state.name, gm=seat.is_gm, out=out)


def _phase(visit: Correspondent) -> str:
    return phase_name(visit.state.turn, visit.state.phase)


COMMANDS: Mapping[str, Callable[[Correspondent, str], None]] = {
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
    "READY": ready,
    "WAIT": wait,
    "ZONE": zone,
    "CONFIRM": confirm,
    "CONFIRM RESIGN": resign,
    "LEAVE": leave,
    "CONFIRM LEAVE": left,
    "UNSUBSCRIBE": unsubscribe,
    "PROPOSE": propose,
    "AGREE": agree,
    "DISAGREE": disagree,
}
