"""People come and go; seats stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.campaign import filing
from gm.campaign.lifecycle import ADDRESS, add_player, needs_standin, send_invitations
from gm.campaign.options import is_zone
from gm.campaign.ports import Attachment, Mail, NewPlayer
from gm.campaign.roll_call import LEAVING
from gm.campaign.services import Services
from gm.campaign.tokens import GM, hash_of
from gm.campaign.tokens import seat_token as token_of
from gm.campaign.words import word
from gm.campaign.work import Work, at_work, no_campaign, no_seat
from gm.errors import Invalid, NotNow
from gm.store.repositories import campaigns, paper, people, submissions
from gm.store.tables import Campaign, Player, Tenure
from gm.store.tables import Seat as SeatRow


@dataclass(frozen=True, slots=True)
class Seat:
    """Who somebody is in a campaign. Letter GM: the Gamesmaster."""

    campaign: str
    letter: str
    name: str
    address: str
    zone: str
    status: str

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
            return Seat(found.campaign_id, found.letter, found.name, found.address, found.zone, found.status)
        campaign = campaigns.by_gm_token(session, hashed)
        return _gm_seat(campaign) if campaign is not None else None


def seats_by_address(services: Services, address: str) -> list[Seat]:
    """All that this address holds, Gamesmaster's chairs included."""
    address = address.strip().lower()
    with services.store.read() as session:
        found = [_seat(seat, player) for seat, player in people.seats_by_address(session, address)]
        return found + [_gm_seat(row) for row in campaigns.by_gm_address(session, address)]


def seat_of(services: Services, campaign: str, letter: str) -> Seat:
    with services.store.read() as session:
        row = campaigns.get(session, campaign)
        if row is None:
            raise no_campaign(campaign)
        if letter == GM:
            return _gm_seat(row)
        for seat, player in people.seats_with_holders(session, campaign):
            if seat.letter == letter:
                return _seat(seat, player)
        raise no_seat(campaign, letter)


def _seat(seat: SeatRow, player: Player | None) -> Seat:
    if player is None:
        return Seat(seat.campaign_id, seat.letter, seat.letter, "", "UTC", seat.status)
    return Seat(seat.campaign_id, seat.letter, player.name, player.address, player.zone, seat.status)


def _gm_seat(campaign: Campaign) -> Seat:
    zone = str(campaign.options.get("zone", "UTC"))
    return Seat(campaign.id, GM, campaign.gm_name, campaign.gm_address, zone, "held")


def replace(services: Services, campaign: str, letter: str, new: NewPlayer, actor: str = GM) -> None:
    """Somebody else takes the seat with all that is on file, and gets a briefing. The old reply address dies."""
    _check(new)
    with at_work(services, campaign, actor, "inviting", "running", "paused") as work:
        seat, old = work.seat(letter)
        if seat.status == "quit":
            raise NotNow("quit", f"{letter} has left the game", "a seat can be filled until the Phase is adjudicated")
        if seat.status in LEAVING and work.phase.state == "sealed":
            raise NotNow("sealed", f"{letter} leaves with the Phase that is sealed", "it is too late for this seat")
        held = seat.player_id is not None
        if any(p.address == new.address.lower() for s, p in work.table if p is not None and s.letter != letter):
            raise Invalid("address", f"{new.address} holds another seat", "one person, one seat")
        if held and old is not None:
            old.role = "gone"
            for tenure in people.tenures(work.session, campaign, letter):
                if tenure.ended_at is None:
                    tenure.ended_at, tenure.why = work.now, "replaced"
        player = _standby(work, new) or add_player(work, new, "player")
        player.role = "player"
        seat.player_id = player.id
        seat.generation += 1
        seat.token_hash = hash_of(token_of(services.secret_key, campaign, letter, seat.generation))
        seat.nmr_count, seat.bounce, seat.standin = 0, None, False
        work.session.add(Tenure(campaign_id=campaign, letter=letter, player_id=player.id, began_at=work.now))
        work.session.flush()
        work.__dict__.pop("table", None)  # read it anew
        if work.campaign.status == "inviting":
            seat.status = "invited"
            send_invitations(work, (letter,))
        else:
            seat.status = "held"
            _brief(work, letter, player, old.name if old else "")
        work.audit("replace", letter=letter, name=player.name)


def _check(new: NewPlayer) -> None:
    if not ADDRESS.fullmatch(new.address) or not new.name.strip() or not is_zone(new.zone):
        raise Invalid("player", "a player needs a name, a mail address and a time zone", "such as UTC or Europe/London")


def _standby(work: Work, new: NewPlayer) -> Player | None:
    known = people.everyone(work.session, work.campaign.id, "standby", "reader")
    return next((p for p in known if p.address == new.address.lower()), None)


def _brief(work: Work, letter: str, player: Player, predecessor: str) -> None:
    """All a newcomer needs: where the campaign stands, what is on file, the last Bell."""
    phase = work.phase
    bell = paper.latest_bell(work.session, work.campaign.id)
    on_file = submissions.standing_of(work.session, work.key, letter)
    subject, text = word(
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
        deadline=filing.closing(work.options, phase) and phase.deadline,
        orders=on_file.canonical if on_file is not None and on_file.status == "taken" else "",
        bell=bell.number if bell is not None else None,
    )
    attachments = (Attachment(f"bell-{bell.number}.txt", "text/plain", bell.text),) if bell is not None else ()
    generation = work.seat(letter)[0].generation
    key = f"{work.campaign.id}/briefing/{letter}/{generation}"
    to = (player.address, player.name)
    work.mail(Mail(key, "briefing", *to, subject, text, work.campaign.id, letter, attachments=attachments))


def remove(services: Services, campaign: str, letter: str, reason: str, actor: str = GM) -> None:
    """The Gamesmaster takes a player out (14.2, J37), with effect after the Phase; until then a seat can be filled."""
    _leave(services, campaign, letter, "removed", reason, actor)


def resign(services: Services, campaign: str, letter: str, actor: str | None = None) -> None:
    """A player leaves, confirmed. The Gamesmaster may still replace him before the Phase is adjudicated."""
    _leave(services, campaign, letter, "resigning", "", actor or letter)


def _leave(services: Services, campaign: str, letter: str, status: str, reason: str, actor: str) -> None:
    with at_work(services, campaign, actor, "running", "paused") as work:
        seat, holder = work.seat(letter)
        if seat.status == "quit":
            raise NotNow("quit", f"{letter} has left the game already", "nothing is left to do")
        seat.status = status
        generation = f"{seat.generation}/{work.now.isoformat()}"
        work.tell(letter, status, generation, reason=reason)
        who = holder.name if holder else letter
        work.tell_gm("leaving", f"{letter}/{generation}", who=who, seat=letter, status=status, reason=reason)
        work.audit(status, letter=letter, reason=reason)
        phase = work.phase
        if phase.state in ("open", "grace"):
            filing.consider_early_close(work, phase)


def set_standin(services: Services, campaign: str, letter: str, on: bool, actor: str = GM) -> None:
    """Let the stand-in play a seat whenever no orders come."""
    if on:
        needs_standin(services)
    with at_work(services, campaign, actor) as work:
        work.seat(letter)[0].standin = on
        work.audit("standin", letter=letter, on=on)
        if work.phase.state in ("open", "grace"):
            filing.consider_early_close(work, work.phase)


def add_standby(services: Services, campaign: str, new: NewPlayer, actor: str = GM) -> None:
    _add(services, campaign, new, "standby", actor)


def add_reader(services: Services, campaign: str, new: NewPlayer, actor: str = GM) -> None:
    _add(services, campaign, new, "reader", actor)


def _add(services: Services, campaign: str, new: NewPlayer, role: str, actor: str) -> None:
    _check(new)
    with at_work(services, campaign, actor) as work:
        known = people.everyone(work.session, campaign, "player", "standby", "reader")
        if not any(p.address == new.address.lower() for p in known):
            add_player(work, new, role)
            work.audit(role, name=new.name)


def unsubscribe(services: Services, campaign: str, address: str) -> bool:
    """A reader or standby wants no more mail. Players leave by resigning."""
    with at_work(services, campaign, address) as work:
        readers = people.everyone(work.session, campaign, "standby", "reader")
        found = [person for person in readers if person.address == address.lower()]
        for person in found:
            person.role = "gone"
            work.audit("unsubscribe", name=person.name)
        return bool(found)


def set_zone(services: Services, campaign: str, letter: str, zone: str) -> None:
    if not is_zone(zone):
        raise Invalid("zone", f"{zone!r} is no time zone", "such as UTC or Europe/London")
    with at_work(services, campaign, letter) as work:
        _, holder = work.seat(letter)
        if holder is not None:
            holder.zone = zone
            work.audit("zone", letter=letter, zone=zone)


def note_bounce(services: Services, campaign: str, letter: str, detail: str, permanent: bool) -> None:
    """Mail to a seat came back. What is permanent is shown at the seat and told to the Gamesmaster."""
    with at_work(services, campaign, "mail") as work:
        seat, holder = work.seat(letter)
        work.audit("bounce", letter=letter, detail=detail[:500], permanent=permanent)
        if permanent and seat.bounce is None:
            seat.bounce = detail[:500]
            who = holder.name if holder else letter
            work.tell_gm("bounced", f"{letter}/{seat.generation}", who=who, seat=letter, detail=detail[:500])


def standbys(services: Services, campaign: str) -> Sequence[Player]:
    with services.store.read() as session:
        return people.everyone(session, campaign, "standby")
