"""Mail commands (HELP, STATUS, POSITIONS, CONFIRM, ...): one function per command, in a table at the end."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from zoneinfo import ZoneInfo

from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import addressee, inbox
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import awaited, intake
from gm.campaign.ports import Attachment
from gm.campaign.reads import lookups, rulings
from gm.campaign.reads import what_if as what_if_room
from gm.campaign.reads.lookups import CampaignState, SeatState
from gm.campaign.seats import holders, proposals
from gm.errors import NotNow
from gm.gamedate import phase_name
from gm.mail.handle.correspondent import Correspondent
from gm.mail.handle.dates import period
from gm.mail.handle.sort_lines import Wishes
from gm.mail.identify.recognise import reply_address
from gm.notation import format_position
from gm.orders.help import help_text, topic_text
from gm.orders.kinds.catalogue import CATALOGUE
from gm.whatif.answer_text import as_text
from gm.wording import fold, hang

LEAVE_ASKED = "leave asked"
MAX_BELL = 200_000  # characters of an old Bell in an answer

# Topics of HELP beyond the orders themselves, with their words in templates/mail/help_*.txt.
TOPICS = ("letters", "press", "absent", "extend", "deadlines", "dice", "commands")
_ALSO = {"letter": "letters", "absence": "absent", "extension": "extend", "deadline": "deadlines"}


def help_(writer: Correspondent, topic: str) -> None:
    word = topic.lower().strip()
    word = _ALSO.get(word, word)
    if word in TOPICS:
        writer.answer.add(f"help_{word}")
    elif word in ("rules", "rule"):
        writer.answer.add("help_rules", sections=rulings.rules())
    elif found := _rules(word):
        writer.answer.add("ruling", found=found, number=topic.strip())
    elif word and (text := topic_text(word)) is not None:
        writer.answer.add("help_topic", text=fold(text))
    else:
        topics = ("names", "rules", *TOPICS, *(h.keyword for h in CATALOGUE))
        writer.answer.add("help", orders_help=fold(help_text()).strip(), topics=topics, unknown=topic.strip())


def _rules(word: str) -> tuple[rulings.Ruling, ...]:
    """What `HELP 5.27`, `HELP J7` or `HELP 5` ask for."""
    one = rulings.ruling(word)
    return (one,) if one else rulings.of_section(word) if re.fullmatch(r"[\d.]+", word) else ()


def status(writer: Correspondent, argument: str) -> None:
    state, seat = writer.state, writer.seat
    own = None if seat.is_gm else intake.current_orders(writer.services, seat.campaign, seat.letter)
    shown = state.options.show_ready or (seat.is_gm and state.gm_letter is None)
    writer.answer.add(
        "status",
        state=state,
        shown=shown,
        ready=_called(s for s in state.seats if s.ready),
        own_ready=any(s.ready for s in state.seats if s.letter == seat.letter),
        own_wait=any(s.waiting for s in state.seats if s.letter == seat.letter),
        phase_name=phase_name(state.turn, state.phase),
        ordered=_called(s for s in state.seats if s.ordered),
        missing=_called(s for s in state.seats if s.missing),
        waiting=_called(s for s in state.seats if s.waiting),
        left=_time_left(state),
        own=own,
        zone=seat.zone,
        held=writer.held(),
        gm=seat.is_gm,
        leaves=not seat.is_gm and seat.status in awaited.LEAVING,
    )


def _called(seats: Iterable[SeatState]) -> list[str]:
    return [f"{seat.name} ({seat.letter})" for seat in seats]


def _time_left(state: CampaignState) -> tuple[int, int] | None:
    """Days and hours that a paused Phase has left."""
    holds = state.closes_at if state.phase_state == "grace" else state.deadline
    if state.paused_at is None or holds is None or state.phase_state not in ("open", "grace"):
        return None
    return divmod(int((holds - state.paused_at).total_seconds() // 3600), 24)


def positions(writer: Correspondent, which: str) -> None:
    """All, those of one player, or those in one province."""
    listing = format_position(writer.state.position).rstrip().split("\n")
    lines = [hang(line) for line in listing if not line.strip().startswith(("RANDOMIZER", "FLAG"))]
    wanted = which.strip().upper()
    letters = {s.letter for s in writer.state.seats} | {s.name.upper() for s in writer.state.seats}
    if wanted in letters:
        letter = next(s.letter for s in writer.state.seats if wanted in (s.letter, s.name.upper()))
        lines = [line for line in lines if line.split()[:1] == [letter]]
    elif wanted in writer.state.board.provinces:
        lines = [line for line in lines if f" {wanted}:" in line]
    elif wanted:
        writer.answer.add("positions_unknown", which=which)
        return
    writer.answer.add("positions", lines=lines, which=wanted, state=writer.state, phase=_phase(writer))


def map_(writer: Correspondent, argument: str) -> None:
    bell = lookups.latest_bell(writer.services, writer.seat.campaign)
    if bell is None:
        writer.answer.add("map_none")
        return
    writer.answer.map_of = bell.number
    writer.answer.add("map", number=bell.number, paper=writer.state.paper)


def history(writer: Correspondent, number: str) -> None:
    if number.strip("# "):
        bell = lookups.bell(writer.services, writer.seat.campaign, int(number.strip("# ")))
        writer.answer.add("bell", bell=bell, text=bell.text[:MAX_BELL])
        return
    bells = lookups.bells(writer.services, writer.seat.campaign)
    writer.answer.add("history", bells=bells, state=writer.state, zone=writer.seat.zone)


def rulings_(writer: Correspondent, number: str) -> None:
    sections = rulings.rulings()
    wanted = number.strip().upper()
    if not wanted:
        writer.answer.add("rulings", sections=sections)
        return
    found = [r for s in sections for r in s.items if r.number == wanted or (wanted[0].isdecimal() and wanted in r.text)]
    writer.answer.add("ruling", found=found[:8], number=number.strip())


def whoami(writer: Correspondent, argument: str) -> None:
    seat, settings = writer.seat, writer.services.settings
    token = addressee.own_keys(writer.services, seat.campaign, seat.letter, seat.address)
    address = reply_address(settings.orders_address, token)
    writer.answer.add("whoami", seat=seat, state=writer.state, address=address)


# ABSENT until 12 March STANDIN
STANDIN = re.compile(r"(?:(?<![\s,;:-])[\s,;:-]++)?\bstand[\s-]?in\b\.?", re.IGNORECASE)


def _whole(text: str) -> str:
    """For a key: another request of the same mail may begin with the same words."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def absent(writer: Correspondent, argument: str) -> None:
    today = writer.mail.received_at.astimezone(ZoneInfo(writer.seat.zone)).date()
    asked = STANDIN.search(argument) is not None
    days = period(STANDIN.sub(" ", argument), today)
    if days is None:
        writer.answer.add("absent_unclear", argument=argument, link=writer.link(Purpose.ABSENT))
        return
    seat = writer.seat
    key = writer.key(f"absent/{days[0]}/{days[1]}/{asked}")
    deadlines.absent(writer.services, seat.campaign, seat.letter, *days, standin=asked, key=key)
    writer.answer.add("absent", first=days[0], last=days[1], gm=writer.state.gm_name, standin=asked)


def extend(writer: Correspondent, argument: str) -> None:
    seat = writer.seat
    key = writer.key(f"extend/{_whole(argument)}")
    deadlines.ask_extension(writer.services, seat.campaign, seat.letter, argument, key=key)
    due = None if writer.state.status == "paused" else writer.state.deadline
    writer.answer.add("extend", gm=writer.state.gm_name, deadline=due, zone=seat.zone)


def join(writer: Correspondent, argument: str) -> None:
    seat = writer.seat
    if seat.status != "invited":
        writer.answer.add("join_already", title=writer.state.name, letter=seat.letter)
        return
    creation.accept(writer.services, seat.campaign, seat.letter, seat.letter, argument)
    others = [s for s in writer.state.seats if s.status == "invited" and s.letter != seat.letter]
    names = [s.name for s in others]
    facts = {"title": writer.state.name, "letter": seat.letter, "paper": writer.state.paper, "zone": seat.zone}
    writer.answer.add("join", others=names, **facts)


def ready(writer: Correspondent, argument: str) -> None:
    _say_ready(writer, True)


def wait(writer: Correspondent, argument: str) -> None:
    _say_ready(writer, None if argument.strip().lower() in ("no", "off", "no more") else False)


def _say_ready(writer: Correspondent, said: bool | None) -> None:
    seat = writer.seat
    if said and writer.is_early:
        raise NotNow("earlier", "it was said before this Phase was opened", "say READY again if you mean this one")
    found = intake.say_ready(writer.services, seat.campaign, seat.letter, said, by_mail=True)
    writer.answer.attachments += found.entry
    names = [s.name for s in writer.state.seats if s.letter in found.awaited]
    facts = {"names": names, "zone": seat.zone, "phase": _phase(writer), "paused": writer.state.status == "paused"}
    own = intake.current_orders(writer.services, seat.campaign, seat.letter) if said else None
    writer.answer.add("ready", said=said, found=found, own=own, **facts)


def zone(writer: Correspondent, name: str) -> None:
    holders.set_zone(writer.services, writer.seat.campaign, writer.seat.letter, name.strip())
    writer.seat = dataclasses.replace(writer.seat, zone=name.strip())  # for what else is asked in the same mail
    writer.answer.add("zone", zone=name.strip(), deadline=writer.state.deadline)


def confirm(writer: Correspondent, argument: str) -> None:
    """That a mail was theirs, by its number: for one, never for all at once, for others may be somebody else's."""
    meant = argument.strip("# ")
    chosen = meant.isdecimal() and writer.is_held(int(meant))
    if chosen:
        inbox.release(writer.services, int(meant), writer.seat.letter)
    writer.answer.add("confirm", count=int(chosen), waiting=writer.held())


def resign(writer: Correspondent, argument: str) -> None:
    """CONFIRM RESIGN, as the answer to RESIGN asked. The campaign itself writes to the player and the Gamesmaster."""
    holders.resign(writer.services, writer.seat.campaign, writer.seat.letter)


def leave(writer: Correspondent, argument: str) -> None:
    """LEAVE TO STANDIN: asked once more, for all links into the seat end with it."""
    creation.needs_standin(writer.services)
    writer.done.insert(0, writer.in_this_phase(LEAVE_ASKED))
    writer.answer.add("leave", link=writer.link(Purpose.LEAVE), title=writer.state.name)


def left(writer: Correspondent, argument: str) -> None:
    """CONFIRM LEAVE. The seat is not theirs any more: the campaign writes to them, no answer with its keys goes out."""
    holders.leave_to_standin(writer.services, writer.seat.campaign, writer.seat.letter)


def propose(writer: Correspondent, text: str) -> None:
    """PROPOSE and an order that needs partners."""
    seat = writer.seat
    whole = _whole(text)
    made = proposals.propose(writer.services, seat.campaign, seat.letter, text, writer.key(f"propose/{whole}"))
    writer.answer.add("proposed", proposal=made, letter=seat.letter, names=_player_names(writer))


def agree(writer: Correspondent, argument: str) -> None:
    _answer_proposal(writer, argument, True)


def disagree(writer: Correspondent, argument: str) -> None:
    _answer_proposal(writer, argument, False)


def _answer_proposal(writer: Correspondent, argument: str, agrees: bool) -> None:
    seat, number = writer.seat, int(re.sub(r"\D", "", argument)[:6] or 0)
    done = proposals.answer(writer.services, seat.campaign, seat.letter, number, agrees)
    own = intake.current_orders(writer.services, seat.campaign, seat.letter)
    sheet = own.canonical if own else ""
    writer.answer.add("agreed", number=number, agrees=agrees, own=sheet, **done._asdict())


def _player_names(writer: Correspondent) -> dict[str, str]:
    return {seat.letter: f"{seat.name} ({seat.letter})" for seat in writer.state.seats}


def unsubscribe(writer: Correspondent, argument: str) -> None:
    seat = writer.seat
    out = not seat.is_gm and holders.unsubscribe(writer.services, seat.campaign, seat.address, seat.letter)
    writer.answer.add("unsubscribe_player", title=writer.state.name, gm=seat.is_gm, out=out)


def _phase(writer: Correspondent) -> str:
    return phase_name(writer.state.turn, writer.state.phase)


def what_if(writer: Correspondent, wishes: Wishes) -> None:
    """WHATIF before the orders: they are tried out and nothing is filed."""
    assert wishes.what_if is not None
    asked = wishes.what_if.argument.lower().split()
    times = next((int(word) for word in asked if word.isdecimal()), what_if_room.TIMES)
    own, others = what_if_room.with_guesses(wishes.orders)
    found = what_if_room.ask(
        writer.services,
        writer.seat.campaign,
        writer.seat.letter,
        own,
        others,
        standins="alone" not in asked,
        times=times,
    )
    writer.answer.add("whatif", body=fold(as_text(found)).strip(), alone="alone" in asked, guessed=sorted(others))
    writer.answer.attachments.append(Attachment("a-bell-as-it-might-read.txt", "text/plain", found.sample))
    writer.done.append("what-if")


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
