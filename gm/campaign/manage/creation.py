"""Creating a campaign: seats, invitations, acceptance, the deal; and ending it."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from gm.board.load import packed
from gm.board.model import Board
from gm.board.pack import PackFiles
from gm.campaign import boards, keys, schedule
from gm.campaign import options as campaign_options
from gm.campaign.access.addresses import refused
from gm.campaign.manage.who_plays import must_be_declared, must_not_play, undeclared
from gm.campaign.notices import explain
from gm.campaign.options import CampaignOptions
from gm.campaign.phase.opening import carry_farewell, prepare, stand_at
from gm.campaign.phase.sealing import seal
from gm.campaign.ports import NewPlayer
from gm.campaign.roles import GM
from gm.campaign.services import Services
from gm.campaign.tokens import hash_of, seat_token, strike_secrets
from gm.campaign.transaction import Transaction, at_work, display_name
from gm.errors import Conflict, Invalid, NotNow
from gm.position import Phase as PhaseName
from gm.position import Position
from gm.store.repositories import campaigns, paper, people, phases
from gm.store.tables import Campaign, PlayerRow, SeatRow, Tenure
from gm.wording import clean

FEWEST = 3  # 15.21
LONGEST_NAME = 320  # characters, of a campaign, a paper or a person
ANSWER_DAYS = 7  # in which an invitation asks for an answer


def create(
    services: Services,
    *,
    name: str,
    players: Sequence[NewPlayer],
    gm_name: str,
    gm_address: str,
    gm_letter: str | None = None,
    options: Mapping[str, Any] | CampaignOptions | None = None,
    id: str | None = None,
    paper: str = "The Bell",
    pack: PackFiles = (),
    actor: str = GM,
) -> str:
    """A new campaign: seats, the dice of the deal, invitations. Gives its id."""
    chosen = options if isinstance(options, CampaignOptions) else campaign_options.from_mapping(options or {})
    if chosen.nmr == "standin" or any(p.standin for p in players):
        needs_standin(services)
    pack = boards.new_pack(pack)
    check_areas(packed(pack), chosen)
    beacon = beacon_for(services, chosen)
    seated = seat_players(services, name, players, gm_address, gm_letter)
    with services.store.write() as session:
        campaign = add_campaign(
            services, session, id=id, name=name, paper=paper, gm_name=gm_name, gm_address=gm_address, options=chosen
        )
        campaign.gm_letter = gm_letter
        campaign.pack = boards.keep(session, pack)
        campaign.beacon = beacon
        work = Transaction(services, session, campaign, actor)
        add_seats(work, seated, "invited")
        phase = prepare(work, Position(players=tuple(sorted(seated)), phase=PhaseName.SETUP))
        phase.state = "open"
        phase.opened_at = work.now
        stand_at(work, phase)
        send_invitations(work, tuple(seat.letter for seat, holder in work.table if holder is not None))
        welcome(work, [p.name for _, p in sorted(seated.items()) if p.standin is None])
        work.audit("create", name=name, players=sorted(seated), options=chosen.to_json(), pack=campaign.pack)
        work.post()
        created = campaign.id
    services.wake(None, True)
    return created


def beacon_for(services: Services, options: CampaignOptions) -> dict[str, Any] | None:
    """The public beacon of this installation, for a campaign that wants one."""
    if not options.beacon:
        return None
    if services.beacon is None:
        raise Invalid("beacon", "this installation asks no public beacon", "play without the option beacon")
    return asdict(services.beacon.chain())


def welcome(work: Transaction, invited: Sequence[str] = ()) -> None:
    """The first mail to the Gamesmaster, at once; every mail to a seat brings its sign-in link."""
    work.tell_gm("welcome", "new", invited=invited, auto=work.options.auto_deal, answer_by=_answer_by(work))


def needs_standin(services: Services) -> None:
    if services.standin is None:
        raise Invalid("standin", "this installation has no stand-in player", "choose hold: forces stay where they are")


def check_areas(board: Board, options: CampaignOptions) -> None:
    """Key areas must be provinces of the board."""
    if strangers := [code for code in options.key_areas if code not in board.provinces]:
        raise Invalid("options", f"key_areas: no province {', '.join(strangers)}", "use codes such as PETR or TVER")


def seat_players(
    services: Services, name: str, players: Sequence[NewPlayer], gm_address: str, gm_letter: str | None
) -> dict[str, NewPlayer]:
    """Who sits where; raises Invalid with all that is wrong."""
    problems = [] if clean(name) else ["the campaign needs a name"]
    if any(len(words) > LONGEST_NAME for words in (name, *(p.name for p in players))):
        problems.append(f"a name may have {LONGEST_NAME} characters")
    if not FEWEST <= len(players) <= len(string.ascii_uppercase):
        problems.append(f"{len(players)} players: it takes {FEWEST} to {len(string.ascii_uppercase)}")
    taken = [p.letter.upper() for p in players if p.letter]
    free = iter([letter for letter in string.ascii_uppercase if letter not in taken])
    seated = {(p.letter or next(free, "")).upper(): p for p in players}
    if len(seated) != len(players) or not set(string.ascii_uppercase).issuperset(seated):
        problems.append("every player needs a letter of their own, A to Z")
    people = [p for p in players if p.standin is None]
    if not people:
        problems.append("somebody has to play: not every seat can be a stand-in's")
    addresses = dict.fromkeys([*(p.address for p in people), gm_address])
    problems += [wrong for address in addresses if (wrong := refused(services.settings, address))]
    problems += [f"{p.zone!r} is no time zone" for p in people if not campaign_options.is_zone(p.zone)]
    problems += ["a player needs a name" for p in people if not clean(p.name)]
    if len({p.address.lower() for p in people}) < len(people):
        problems.append("two players have the same address")
    if gm_letter is not None and (gm_letter not in seated or seated[gm_letter].standin):
        problems.append(f"the Gamesmaster plays {gm_letter}, but there is no such seat")
    elif gm_letter is not None and seated[gm_letter].address.lower() != gm_address.lower():
        problems.append(f"the Gamesmaster plays {gm_letter}, but that seat has another address than the Gamesmaster's")
    for letter, player in seated.items():
        if player.standin is None and (wrong := undeclared(letter, player.address, gm_letter, gm_address)):
            problems.append(f"{wrong}: name it as the seat that they play, or give it to somebody else")
    if problems:
        raise Invalid("campaign", "; ".join(problems), "correct it and try again", problems=problems)
    return seated


def add_campaign(
    services: Services,
    session: Session,
    *,
    id: str | None,
    name: str,
    paper: str,
    gm_name: str,
    gm_address: str,
    options: CampaignOptions,
    dice_name: str | None = None,
) -> Campaign:
    if len(paper) > LONGEST_NAME or len(gm_name) > LONGEST_NAME:
        raise Invalid("campaign", f"a name may have {LONGEST_NAME} characters", "choose a shorter one")
    now = services.clock.now()
    slug = _free_id(session, id, name, services)
    campaign = Campaign(
        id=slug,
        dice_name=dice_name or slug,
        name=clean(name),
        paper=clean(paper) or "The Bell",
        status="inviting",
        options=options.to_json(),
        gm_name=clean(gm_name) or "The Gamesmaster",
        gm_address=gm_address.lower(),
        gm_token_hash=hash_of(seat_token(services.secret_key, slug, GM, 1)),
        gm_generation=1,
        created_at=now,
        last_event_at=now,
        next_bell=1,
        chain="",
    )
    session.add(campaign)
    try:
        session.flush()
    except IntegrityError:  # another process took the id a moment ago
        raise taken_id(slug) from None
    return campaign


def taken_id(slug: str) -> Conflict:
    return Conflict("id-taken", f"there is a campaign {slug} already", "give another id with --id", id=slug)


def _free_id(session: Session, wanted: str | None, name: str, services: Services) -> str:
    if wanted is not None:
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", wanted):
            raise Invalid("id", f"{wanted!r} is no id", "use small letters, digits and hyphens")
        if campaigns.get(session, wanted) is not None:
            raise taken_id(wanted)
        return wanted
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:40].strip("-") or "campaign"
    return slug if campaigns.get(session, slug) is None else f"{slug}-{services.entropy(3).hex()}"


def add_seats(work: Transaction, seated: Mapping[str, NewPlayer], status: str) -> None:
    people = {letter: new for letter, new in sorted(seated.items()) if new.standin is None}
    players = {letter: _player(work, new, "player") for letter, new in people.items()}
    work.session.add_all(players.values())
    work.session.flush()  # all at once: seats want to know the numbers of their holders
    for letter, new in sorted(seated.items()):
        player = players.get(letter)
        token = seat_token(work.services.secret_key, work.campaign.id, letter, 1)
        work.session.add(
            SeatRow(
                campaign_id=work.campaign.id,
                letter=letter,
                player_id=player.id if player else None,
                status=status if player else "held",
                generation=1,
                token_hash=hash_of(token),
                nmr_count=0,
                standin=player is None,
                style=new.standin,
            )
        )
        if player is not None:
            begin_tenure(work, letter, player)
    work.session.flush()


def begin_tenure(work: Transaction, letter: str, player: PlayerRow) -> None:
    work.session.add(Tenure(campaign_id=work.campaign.id, letter=letter, player_id=player.id, began_at=work.now))


def add_player(work: Transaction, new: NewPlayer, role: str) -> PlayerRow:
    player = _player(work, new, role)
    work.session.add(player)
    work.session.flush()
    return player


def _player(work: Transaction, new: NewPlayer, role: str) -> PlayerRow:
    return PlayerRow(
        campaign_id=work.campaign.id,
        name=clean(new.name),
        address=new.address.lower(),
        zone=new.zone,
        role=role,
        joined_at=work.now,
    )


def _answer_by(work: Transaction) -> str:
    """The day by which who is invited now is asked to answer."""
    day = work.now + timedelta(days=ANSWER_DAYS)
    return f"{day:%A} {day.day} {day:%B %Y}"


def send_invitations(work: Transaction, letters: Sequence[str], again: str = "") -> None:
    dice = phases.dice(work.session, work.key)
    choices = explain(work.options, work.board)
    players = {seat.letter: display_name(seat, holder) for seat, holder in work.table}
    for letter in letters:
        seat, holder = work.seat(letter)
        work.tell(
            letter,
            "invitation",
            f"{seat.generation}{again}",
            players=players,
            standins=[seat.letter for seat, _ in work.table if seat.standin],
            options=choices,
            o=work.options,
            here=schedule.hours_in(work.options, holder.zone if holder else work.options.zone, work.now),
            weeks=round(work.options.last_turn * (work.options.first_days + work.options.second_days) / 7),
            commitment=dice.commitment,
            dice_name=work.campaign.dice_name,
            gm_plays=work.campaign.gm_letter,
            answer_by=_answer_by(work),
        )


def invite(services: Services, campaign: str, letter: str | None = None, actor: str = GM) -> tuple[str, ...]:
    """Invite again who has not accepted. Gives their letters."""
    with at_work(services, campaign, actor, "inviting") as work:
        open_seats = [seat.letter for seat, _ in work.table if seat.status == "invited"]
        wanted = tuple(open_seats if letter is None else [work.seat(letter)[0].letter])
        send_invitations(work, wanted, again=f"/{work.now.isoformat()}")
        work.audit("invite", letters=list(wanted))
        return wanted


def accept(services: Services, campaign: str, letter: str, actor: str | None = None, note: str = "") -> bool:
    """A player accepts their seat. True if that was the last one and the deal follows."""
    with at_work(services, campaign, actor or letter) as work:
        seat, holder = work.seat(letter)
        if seat.status != "invited":
            return False
        _must_not_be_the_gamesmasters(work, seat, holder)
        seat.status = "held"
        work.audit("accept", letter=letter)
        waiting = [display_name(s, p) for s, p in work.table if s.status == "invited"]
        work.tell_gm(
            "accepted",
            keys.once(letter, seat.generation),
            who=display_name(seat, holder),
            seat=letter,
            note=strike_secrets(note),
            waiting=waiting,
            auto=work.options.auto_deal,
        )
        if work.campaign.status != "inviting" or not work.options.auto_deal:
            return False
        if any(other.status == "invited" for other, _ in work.table):
            return False
        _deal(work)
        return True


def _must_not_be_the_gamesmasters(work: Transaction, seat: SeatRow, holder: PlayerRow | None) -> None:
    if holder is not None:
        must_be_declared(work.campaign, seat.letter, holder.address)


def decline(services: Services, campaign: str, letter: str, note: str = "", actor: str | None = None) -> None:
    """An invited player says no: the seat is empty until the Gamesmaster finds somebody else."""
    with at_work(services, campaign, actor or letter, "inviting") as work:
        seat, holder = work.seat(letter)
        if seat.status != "invited" or holder is None:
            raise NotNow("not-invited", f"{letter} is not waiting for an answer", "a seat that is held can be resigned")
        holder.role = "gone"
        end_tenure(work, letter, "declined")
        seat.player_id = None
        seat.generation += 1
        seat.token_hash = hash_of(seat_token(services.secret_key, campaign, letter, seat.generation))
        note = strike_secrets(note).strip()  # first: what is cut after 500 characters may be half a secret
        work.tell_gm("declined", keys.once(letter, seat.generation), who=holder.name, seat=letter, note=note)
        work.audit("decline", letter=letter, name=holder.name, note=note[:500])


def end_tenure(work: Transaction, letter: str, why: str) -> None:
    for tenure in people.tenures(work.session, work.campaign.id, letter):
        if tenure.ended_at is None:
            tenure.ended_at, tenure.why = work.now, why


def deal(services: Services, campaign: str, actor: str = GM, force: bool = False) -> None:
    """Deal now. With force also if somebody has not accepted: they keep the seat all the same."""
    with at_work(services, campaign, actor, "inviting") as work:
        if empty := [seat.letter for seat, holder in work.table if holder is None and not seat.standin]:
            raise NotNow("empty", f"nobody sits at {', '.join(empty)}", "gm campaign replace puts somebody there")
        waiting = [(seat, holder) for seat, holder in work.table if seat.status == "invited"]
        if waiting and not force:
            letters = ", ".join(seat.letter for seat, _ in waiting)
            raise NotNow("not-accepted", f"{letters} did not accept yet", "invite again, replace, or deal with --force")
        for seat, holder in waiting:
            _must_not_be_the_gamesmasters(work, seat, holder)
            seat.status = "held"
        _deal(work)


def _deal(work: Transaction) -> None:
    work.campaign.status = "running"
    seal(work, work.phase)


def finish(services: Services, campaign: str, reason: str, actor: str = GM) -> None:
    """The Gamesmaster ends it: one last Bell with the standings as they are."""
    with at_work(services, campaign, actor, "running", "paused") as work:
        must_not_play(work, "does not choose the moment at which the standings are the last")
        phase = work.phase
        position = work.position()
        withdrawn = any(line.void for line in paper.bell_lines(work.session, campaign))
        untold = phase.erratum if phase.state == "pending" and withdrawn else None  # no issue says so yet
        for row in phases.since(work.session, campaign, phase.ordinal):
            work.silence(phases.key_of(row))
            if row.state != "published":
                row.state = "void"
        work.campaign.status = "running"
        last = prepare(work, replace(position, phase=PhaseName.FINISHED))
        last.lead = reason.strip() or None
        last.erratum = untold
        carry_farewell(phase, last)
        stand_at(work, last)
        work.alarm("publish", work.now, last)
        work.audit("finish", reason=reason)
