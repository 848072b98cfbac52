"""`gm campaign`: creating and running campaigns from the command line, everything a Gamesmaster does."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from gm.board.pack import files_of
from gm.campaign import ticker
from gm.campaign.beacon import rounds
from gm.campaign.manage import creation, deadlines
from gm.campaign.phase import drafting, intake, publishing, rollback
from gm.campaign.reads import lookups
from gm.campaign.reads.lookups import CampaignState
from gm.campaign.roles import KEEPER
from gm.campaign.schedule import local
from gm.campaign.seats import holders
from gm.commands import console
from gm.commands.campaign import archive, correct, options
from gm.commands.campaign.options import PACK
from gm.commands.campaign.submit import acting
from gm.commands.wiring import AS_JSON, CAMPAIGN, moment, option_pairs, person, print_json, say, seat_from, service
from gm.errors import UserError
from gm.gamedate import phase_name
from gm.position import to_json

app = typer.Typer(help="Make a campaign and run it.", no_args_is_help=True)

YES = typer.Option(False, "--yes", "-y", help="Do not ask")
PERSON = typer.Argument(help='"NAME <ADDRESS>", with a time zone behind it if wanted')
LETTER = typer.Argument(help="The seat, by its letter")


def _sure(question: str, yes: bool) -> None:
    if not yes and not typer.confirm(question):
        raise typer.Exit(1)


@app.command()
def new(
    name: str = typer.Argument(help="How the campaign is called"),
    player: list[str] = typer.Option(
        ...,
        "--player",
        "-p",
        help='"NAME <ADDRESS>", or "A: NAME <ADDRESS> Europe/London"; fanatic or commander: a stand-in',
        show_default=False,
    ),
    gm: str = typer.Option(..., "--gm", help='The Gamesmaster: "NAME <ADDRESS>"', show_default=False),
    plays: str = typer.Option("", "--gm-plays", help="The letter that the Gamesmaster plays, if any"),
    set_: list[str] = typer.Option([], "--set", help="An option, such as grace_hours=24 (gm campaign options)"),
    id: str = typer.Option("", "--id", help="A short name for commands and addresses"),
    paper: str = typer.Option("The Bell", help="The name of the newspaper"),
    pack: Path | None = PACK,
) -> None:
    """Make a campaign from names and addresses; the players are invited."""
    host = person(gm)
    with service() as services:
        made = creation.create(
            services,
            name=name,
            players=[seat_from(text) for text in player],
            gm_name=host.name,
            gm_address=host.address,
            gm_letter=plays.upper() or None,
            options=option_pairs(set_),
            id=id or None,
            paper=paper,
            pack=files_of(pack) if pack is not None else (),
        )
        invited = sum(seat.held for seat in lookups.state(services, made).seats)
        say(f"{made}: {invited} players are invited. The deal follows when all have accepted.")
        if plays and not lookups.options_of(services, made).beacon:
            say("you play yourself: --set beacon=yes is recommended, so that nobody can say you knew the dice")


@app.command("list")
def list_(as_json: bool = AS_JSON) -> None:
    """All campaigns at a glance."""
    with service() as services:
        lines = lookups.overview(services)
    if as_json:
        print_json(lines)
        return
    table = Table("campaign", "name", "status", "phase", "deadline (UTC)", box=None)
    for line in lines:
        deadline = f"{line.deadline:%Y-%m-%d %H:%M}" if line.deadline else ""
        phase = f"{phase_name(line.turn, line.phase)}, {line.phase_state}"
        table.add_row(line.id, escape(line.name), line.status, phase, deadline)
    console().print(table)


@app.command()
def show(campaign: str = CAMPAIGN, as_json: bool = AS_JSON) -> None:
    """Who has ordered, who is late, what is queued, what bounced."""
    with service() as services:
        state = lookups.state(services, campaign)
        asked = deadlines.requests(services, campaign, "asked")
        readers = holders.readers(services, campaign)
    if as_json:
        facts = {f: getattr(state, f) for f in state.__slots__ if f not in ("position", "options", "board")}
        facts |= {"options": state.options.to_json(), "board": state.board.digest, "position": to_json(state.position)}
        print_json(facts)
        return
    _print_state(state)
    for one in readers:
        say(f"{one.role}: {one.name} <{one.address}>")
    for request in asked:
        dates = f" {request.starts} to {request.ends}" if request.starts else ""
        say(f"asked: {request.letter} {request.kind}{dates} {request.note}  (request {request.id})")


def _print_state(state: CampaignState) -> None:
    zone = state.options.zone
    say(f"{state.name} ({state.id}), {state.status}: {phase_name(state.turn, state.phase)}, {state.phase_state}")
    if state.deadline is not None:
        paused = " (paused: it does not count)" if state.status == "paused" else ""
        say(f"deadline  {local(state.deadline, zone)}{paused}")
    if state.full_deadline is not None:
        say(f"          nearer because everybody is ready; without that {local(state.full_deadline, zone)}")
    if state.phase_state == "grace" and state.closes_at is not None:
        say(f"grace     {local(state.closes_at, zone)}")
    mails = f"{state.mails['queued']} mails queued, {state.mails['failed']} failed"
    say(f"{state.paper} #{state.bell_number} is the last issue; {mails}")
    if state.halted:
        say(f"HALTED: {state.halted}; gm campaign clock accepts it")
    table = Table("", "player", "address", "seat", "orders", "notes", box=None)
    for seat in state.seats:
        orders = f"version {seat.version}" if seat.ordered else "missing" if seat.missing else "-"
        notes = [f"no orders {seat.nmr_count}x"] if seat.nmr_count else []
        notes += ["ready"] if seat.ready else ["not ready"] if seat.waiting else []
        notes += ["stand-in"] if seat.standin else []
        notes += [f"mail bounces: {seat.bounce}"] if seat.bounce else []
        row = (seat.letter, seat.name, seat.address, seat.status, orders, ", ".join(notes))
        table.add_row(*(escape(cell) for cell in row))
    console().print(table)


@app.command()
def invite(campaign: str = CAMPAIGN, letter: str = typer.Argument("", help="Only this seat")) -> None:
    """Invite again who has not accepted."""
    with service() as services:
        sent = creation.invite(services, campaign, letter.upper() or None)
    say(f"invited: {', '.join(sent) or 'nobody, all have accepted'}")


@app.command()
def accept(campaign: str = CAMPAIGN, letter: str = LETTER) -> None:
    """Note that a player has accepted (by post, by telephone)."""
    with service() as services:
        dealt = creation.accept(services, campaign, letter.upper(), "GM")
    say("accepted; all seats are taken, the deal follows" if dealt else "accepted")


@app.command()
def decline(
    campaign: str = CAMPAIGN, letter: str = LETTER, note: str = typer.Option("", help="What the player said")
) -> None:
    """Note that a player does not take the seat; it is empty until somebody is put there."""
    with service() as services:
        creation.decline(services, campaign, letter.upper(), note, "GM")
    say(f'{letter.upper()} is empty: gm campaign replace {campaign} {letter.upper()} "NAME <ADDRESS>"')


@app.command("open")
def open_(
    campaign: str = CAMPAIGN, force: bool = typer.Option(False, "--force", help="Also if somebody did not accept")
) -> None:
    """Deal and print the first Bell; the trades before the game are open then."""
    with service() as services:
        creation.deal(services, campaign, force=force)
        report = ticker.tick(services, "gm campaign open")
        _tell(report)


def _tell(report: ticker.TickReport) -> None:
    for kind, campaign in report.done:
        say(f"{campaign}: {kind}")
    for kind, campaign, error in report.failed:
        say(f"{campaign}: {kind} failed, will be tried again: {error}")
    if report.halted:
        raise UserError(report.halted, "gm campaign clock --accept, if the clock is right")


@app.command()
def tick() -> None:
    """Do now what is due (a worker does it by itself)."""
    with service() as services:
        _tell(ticker.tick(services, "gm campaign tick"))


@app.command()
def retry(campaign: str = CAMPAIGN) -> None:
    """Try again now what failed too often to be tried by itself."""
    with service() as services:
        say(f"{ticker.retry(services, campaign)} to be tried again")
        _tell(ticker.tick(services, "gm campaign retry"))


@app.command()
def clock(accept: bool = typer.Option(False, "--accept", help="The clock is right, go on")) -> None:
    """Whether the clock is believed; accept it after an outage."""
    with service() as services:
        if accept:
            doubt = ticker.accept_clock(services)
            say(f"accepted: {doubt}" if doubt else "there was nothing in doubt")
        else:
            doubt = lookups.clock_doubt(services)
            say(f"in doubt: {doubt}" if doubt else "the clock is believed")


@app.command()
def extend(
    campaign: str = CAMPAIGN,
    hours: float = typer.Option(0, help="By how many hours"),
    until: str = typer.Option("", help="Until when, on the campaign's clock: '2026-03-08 20:00'"),
    reason: str = typer.Option("", help="Told to the players"),
    shorten: bool = typer.Option(False, "--shorten", help="The new deadline is earlier than the one that was told"),
) -> None:
    """Move the deadline; everybody is told. It only comes nearer with --shorten and a reason."""
    with service() as services:
        zone = lookups.options_of(services, campaign).zone
        end = moment(until, zone) if until else None
        by, length = acting(services, campaign), hours or None
        new = deadlines.extend(services, campaign, hours=length, until=end, reason=reason, shorten=shorten, actor=by)
        say(f"new deadline: {local(new, zone)}")


@app.command()
def pause(campaign: str = CAMPAIGN, reason: str = typer.Option("", help="Told to the players")) -> None:
    """Let nothing happen by itself until it is resumed."""
    with service() as services:
        deadlines.pause(services, campaign, reason, acting(services, campaign))
    say("paused")


@app.command()
def resume(campaign: str = CAMPAIGN) -> None:
    """Go on after a pause: at least as much time is left as was, to the time of day that was set."""
    with service() as services:
        deadline = deadlines.resume(services, campaign, acting(services, campaign))
        zone = lookups.options_of(services, campaign).zone
    say(f"resumed; deadline {local(deadline, zone)}" if deadline else "resumed")


@app.command()
def close(
    campaign: str = CAMPAIGN,
    reason: str = typer.Option("", help="Printed in The Bell, with the deadline that was"),
    yes: bool = YES,
) -> None:
    """Seal the Phase now, whoever is missing. The Bell prints that you did."""
    _sure("Seal the Phase now, whoever is missing?", yes)
    with service() as services:
        deadlines.close_early(services, campaign, acting(services, campaign), reason)
        _tell(ticker.tick(services, "gm campaign close"))


@app.command()
def beacon(
    campaign: str = CAMPAIGN,
    without: bool = typer.Option(False, "--without", help="Cast the dice without the round that cannot be had"),
    reason: str = typer.Option("", help="Printed in The Bell"),
) -> None:
    """Which round of the public beacon the dice wait for; or decide to go on without it."""
    with service() as services:
        if without:
            rounds.go_on_without(services, campaign, reason)
            _tell(ticker.tick(services, "gm campaign beacon"))
        state = rounds.state_of(services, campaign)
    if state is None:
        say(f"{campaign} uses no beacon")
        return
    say(f"{state.chain.name}: {state.chain.address}")
    if state.printed is not None:
        say(f"printed for this Phase: round {state.printed}, due {state.at(state.printed)}")
    if state.awaited is not None:
        say(f"the dice wait for round {state.awaited}, due {state.at(state.awaited)}")


@app.command()
def orders(campaign: str = CAMPAIGN, as_json: bool = AS_JSON) -> None:
    """The orders on file for this Phase (not for a Gamesmaster who plays)."""
    with service() as services:
        found = lookups.orders_of(services, campaign, "GM")
    if as_json:
        print_json(found)
        return
    for letter, sheet in found.items():
        say(f"{letter}  version {sheet['version']}, {sheet['source']}\n{sheet['text'] or '(no orders)'}\n")
    if not found:
        say("no orders yet")


@app.command()
def nudge(campaign: str = CAMPAIGN, letter: list[str] = typer.Argument(None, help="Only these seats")) -> None:
    """Remind now who has not ordered."""
    with service() as services:
        reminded = deadlines.nudge(services, campaign, [one.upper() for one in letter] if letter else None)
    say(f"reminded: {', '.join(reminded) or 'nobody, all orders are in'}")


@app.command()
def preview(
    campaign: str = CAMPAIGN,
    html: Path | None = typer.Option(None, help="Write the HTML there"),
    stories: bool = typer.Option(False, help="Only the keys of its stories, for gm campaign edit"),
) -> None:
    """The Bell as it would be printed now."""
    with service() as services:
        found = drafting.preview(services, campaign)
    if stories:
        for story in found.stories:
            typer.echo(f"{story.key} ({story.place}): {story.about}")
        return
    document = found.document
    if html is not None:
        html.write_text(document.html, "utf-8")
    typer.echo(document.text)


@app.command()
def edit(
    campaign: str = CAMPAIGN,
    headline: str = typer.Option(None, help="Your headline; empty text takes it back"),
    lead: str = typer.Option(None, help="Your lead"),
    column: str = typer.Option(None, help="Your own column"),
    farewell: str = typer.Option(None, help="Your farewell, kept for the last issue"),
    story: str = typer.Option("", help="Key of a story: gm campaign preview --stories"),
    title: str = typer.Option("", help="Your headline for that story"),
    text: str = typer.Option("", help="Your words for that story; without any it is as it was made"),
    kill: bool = typer.Option(False, help="Leave that story out"),
    decision: str = typer.Option("", help="Something the rules leave to you"),
    reason: str = typer.Option("", help="Why you decided so"),
) -> None:
    """Write headline, lead and column of the coming Bell, or a decision of yours; change or leave out a story."""
    own = {"headline": headline, "lead": lead, "column": column, "farewell": farewell}
    with service() as services:
        if any(words is not None for words in own.values()):
            publishing.set_draft(services, campaign, actor="GM", **own)
        if story:
            publishing.edit_story(services, campaign, story, headline=title, text=text, killed=kill, actor="GM")
        if decision or reason:
            publishing.decide(services, campaign, decision, reason, "GM")
    say("noted; gm campaign preview shows it")


@app.command()
def publish(campaign: str = CAMPAIGN) -> None:
    """Print and mail the Bell that waits; the next Phase opens."""
    with service() as services:
        number = publishing.publish(services, campaign, "GM")
        say(f"issue #{number} is printed; {lookups.state(services, campaign).mails.get('queued', 0)} mails are queued")


@app.command("rollback")
def rollback_(
    campaign: str = CAMPAIGN,
    turn: int = typer.Argument(help="The Game-Turn"),
    phase: str = typer.Argument(help="setup, pregame, first or second"),
    reason: str = typer.Option(..., help="Printed as an erratum", show_default=False),
    keep_orders: bool = typer.Option(False, help="The orders sealed for it stand as first version"),
    yes: bool = YES,
) -> None:
    """Begin a Phase again: all since is void, new dice are drawn, an erratum is printed."""
    _sure(f"Void everything since the {phase} Phase of turn {turn}?", yes)
    with service() as services:
        by = acting(services, campaign)
        rollback.rollback(services, campaign, turn, phase, reason, by, keep_orders=keep_orders)
        _tell(ticker.tick(services, "gm campaign rollback"))


@app.command()
def replace(
    campaign: str = CAMPAIGN,
    letter: str = LETTER,
    player: str = PERSON,
    reason: str = typer.Option("", help="Told to whoever had the seat"),
) -> None:
    """Put somebody else on a seat; they get a briefing, and the others are told."""
    with service() as services:
        by = acting(services, campaign)
        holders.replace(services, campaign, letter.upper(), person(player), by, reason)
    say(f"{letter.upper()} is now {person(player).name}")


@app.command()
def keys(
    campaign: str = CAMPAIGN, letter: str = typer.Argument(help="The seat, by its letter; GM: the Gamesmaster")
) -> None:
    """New keys: old links, reply addresses, tokens and cookies end at once, and the holder is mailed a new link."""
    with service() as services:
        holders.new_keys(services, campaign, letter.upper(), KEEPER)
    say("what opened it before has ended; a new link goes out by mail")


@app.command()
def remove(
    campaign: str = CAMPAIGN,
    letter: str = LETTER,
    reason: str = typer.Option("", help="Told to the player"),
    yes: bool = YES,
) -> None:
    """Take a player out of the game (14.2), with effect after this Phase."""
    _sure(f"Take {letter.upper()} out of the game?", yes)
    with service() as services:
        holders.remove(services, campaign, letter.upper(), reason, acting(services, campaign))
    say(f"{letter.upper()} leaves after this Phase, unless somebody takes the seat before")


@app.command()
def standby(campaign: str = CAMPAIGN, player: str = PERSON) -> None:
    """Put somebody on the list of standbys: they get every Bell."""
    with service() as services:
        holders.add_standby(services, campaign, person(player))
    say("noted")


@app.command()
def reader(campaign: str = CAMPAIGN, player: str = PERSON) -> None:
    """Put somebody on the list of readers: they get every Bell."""
    with service() as services:
        holders.add_reader(services, campaign, person(player))
    say("noted")


@app.command()
def strike(campaign: str = CAMPAIGN, address: str = typer.Argument(help="The mail address")) -> None:
    """Take a standby or a reader off the list: they get no more mail."""
    with service() as services:
        if not holders.unsubscribe(services, campaign, address, "GM"):
            raise UserError(f"{address} is no standby and no reader of {campaign}", "gm campaign show lists them")
    say(f"{address} gets no more mail")


@app.command()
def standin(
    campaign: str = CAMPAIGN,
    letter: str = LETTER,
    style: str = typer.Argument("", help="fanatic or commander; none: as the campaign has it", show_default=False),
    off: bool = typer.Option(False, "--off", help="The seat is played by people again"),
) -> None:
    """Let a stand-in play a seat whenever no orders come."""
    with service() as services:
        by = acting(services, campaign)
        holders.set_standin(services, campaign, letter.upper(), not off, by, style=style or None)
    say("the stand-in no longer plays it" if off else "the stand-in plays it")


@app.command()
def leave(
    campaign: str = CAMPAIGN,
    letter: str = LETTER,
    style: str = typer.Argument("", help="fanatic or commander; none: as the campaign has it", show_default=False),
    yes: bool = YES,
) -> None:
    """Let a player go at once, and a stand-in have the seat until somebody takes it over (gm campaign replace)."""
    _sure(f"Leave {letter.upper()} to a stand-in?", yes)
    with service() as services:
        holders.leave_to_standin(services, campaign, letter.upper(), style or None, acting(services, campaign))
    say(f"a stand-in has {letter.upper()} to itself")


@app.command()
def grant(
    campaign: str = CAMPAIGN,
    request: int = typer.Argument(help="Number of the request (gm campaign show)"),
    decline: bool = typer.Option(False, "--decline", help="Say no"),
    hours: float = typer.Option(0, help="More time: by how many hours"),
    until: str = typer.Option("", help="More time: until when, on the campaign's clock: '2026-03-08 20:00'"),
) -> None:
    """Answer what a player asked for. More time is given at once, to all."""
    with service() as services:
        zone = lookups.options_of(services, campaign).zone
        end = moment(until, zone) if until else None
        by, length = acting(services, campaign), hours or None
        new = deadlines.settle_request(services, campaign, request, not decline, by, hours=length, until=end)
    say(f"answered; new deadline: {local(new, zone)}" if new else "answered")


@app.command()
def finish(campaign: str = CAMPAIGN, reason: str = typer.Option("", help="Printed"), yes: bool = YES) -> None:
    """End the campaign now, with a last Bell and the standings."""
    _sure("End the campaign for good?", yes)
    with service() as services:
        creation.finish(services, campaign, reason, acting(services, campaign))
        _tell(ticker.tick(services, "gm campaign finish"))


@app.command()
def history(campaign: str = CAMPAIGN, as_json: bool = AS_JSON) -> None:
    """Every Phase there was."""
    with service() as services:
        lines = lookups.history(services, campaign)
    if as_json:
        print_json(lines)
        return
    for line in lines:
        again = f" (again, {line.incarnation})" if line.incarnation else ""
        bell = f"issue #{line.bell}" if line.bell else ""
        say(f"{line.turn:>2} {line.phase:<9}{line.state:<12}{bell}{again}")


@app.command()
def audit(
    campaign: str = CAMPAIGN, limit: int = typer.Option(50, help="The newest so many"), as_json: bool = AS_JSON
) -> None:
    """Who did what."""
    with service() as services:
        rows = lookups.audit(services, campaign, limit)
    if as_json:
        print_json([{"at": r.at, "actor": r.actor, "action": r.action, "data": r.data} for r in rows])
        return
    for row in reversed(rows):
        facts = ", ".join(f"{key} {value}" for key, value in row.data.items() if value not in (None, "", []))
        say(f"{row.at:%Y-%m-%d %H:%M:%S} {row.actor:<12} {row.action:<14} {facts}")


@app.command()
def versions(campaign: str = CAMPAIGN, letter: str = LETTER) -> None:
    """Everything a seat sent for this Phase, refused sheets too."""
    with service() as services:
        lookups.orders_of(services, campaign, "GM")  # refuses a Gamesmaster who plays
        for row in intake.versions(services, campaign, letter):
            what = f"by {row.source}: {row.status} {row.reason or ''}"
            say(f"version {row.version}, {row.received_at:%Y-%m-%d %H:%M:%S} {what}")
            say(row.raw)


app.command("correct")(correct.correct)
app.command("options")(options.options)
app.command("set")(options.set_)
app.command("export")(archive.export)
app.command("import")(archive.import_)
