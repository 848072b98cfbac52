"""`gm campaign`: everything a Gamesmaster does, without the web."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from gm.campaign import calendar, intake, lifecycle, lookups, players, publishing, rollback, ticker
from gm.campaign import options as campaign_options
from gm.campaign.lookups import CampaignState
from gm.campaign.times import local
from gm.commands import archive, console
from gm.commands.wiring import AS_JSON, CAMPAIGN, moment, option_pairs, person, print_json, say, service
from gm.errors import UserError
from gm.orders.calendar import phase_name
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
        ..., "--player", "-p", help='"NAME <ADDRESS>", or "A: NAME <ADDRESS> Europe/London"', show_default=False
    ),
    gm: str = typer.Option(..., "--gm", help='The Gamesmaster: "NAME <ADDRESS>"', show_default=False),
    plays: str = typer.Option("", "--gm-plays", help="The letter that the Gamesmaster plays himself"),
    set_: list[str] = typer.Option([], "--set", help="An option, such as grace_hours=24 (gm campaign options)"),
    id: str = typer.Option("", "--id", help="A short name for commands and addresses"),
    paper: str = typer.Option("The Bell", help="The name of the newspaper"),
) -> None:
    """Make a campaign from names and addresses; the players are invited."""
    host = person(gm)
    with service() as services:
        made = lifecycle.create(
            services,
            name=name,
            players=[person(text) for text in player],
            gm_name=host.name,
            gm_address=host.address,
            gm_letter=plays.upper() or None,
            options=option_pairs(set_),
            id=id or None,
            paper=paper,
        )
        say(f"{made}: {len(player)} players are invited. The deal follows when all have accepted.")


@app.command()
def options(campaign: str = typer.Argument("", help="Of this campaign; empty: the defaults")) -> None:
    """Show the options of a campaign, or which there are."""
    if campaign:
        with service() as services:
            chosen = lookups.options_of(services, campaign)
    else:
        chosen = campaign_options.Options()
    for name, value in campaign_options.describe(chosen):
        say(f"{name:<22}{value}")


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
        asked = calendar.requests(services, campaign, "asked")
    if as_json:
        facts = {f: getattr(state, f) for f in state.__slots__ if f not in ("position", "options")}
        print_json({**facts, "options": state.options.to_json(), "position": to_json(state.position)})
        return
    _print_state(state)
    for request in asked:
        dates = f" {request.starts} to {request.ends}" if request.starts else ""
        say(f"asked: {request.letter} {request.kind}{dates} {request.note}  (request {request.id})")


def _print_state(state: CampaignState) -> None:
    zone = state.options.zone
    say(f"{state.name} ({state.id}), {state.status}: {phase_name(state.turn, state.phase)}, {state.phase_state}")
    if state.deadline is not None:
        say(f"deadline  {local(state.deadline, zone)}")
    mails = f"{state.mails['queued']} mails queued, {state.mails['failed']} failed"
    say(f"{state.paper} #{state.bell_number} is the last issue; {mails}")
    if state.halted:
        say(f"HALTED: {state.halted}; gm campaign clock accepts it")
    table = Table("", "player", "address", "seat", "orders", "notes", box=None)
    for seat in state.seats:
        orders = f"version {seat.version}" if seat.ordered else "missing" if seat.missing else "-"
        notes = [f"no orders {seat.nmr_count}x"] if seat.nmr_count else []
        notes += ["waits"] if seat.waiting else []
        notes += ["stand-in"] if seat.standin else []
        notes += [f"mail bounces: {seat.bounce}"] if seat.bounce else []
        row = (seat.letter, seat.name, seat.address, seat.status, orders, ", ".join(notes))
        table.add_row(*(escape(cell) for cell in row))
    console().print(table)


@app.command()
def invite(campaign: str = CAMPAIGN, letter: str = typer.Argument("", help="Only this seat")) -> None:
    """Invite again who has not accepted."""
    with service() as services:
        sent = lifecycle.invite(services, campaign, letter.upper() or None)
    say(f"invited: {', '.join(sent) or 'nobody, all have accepted'}")


@app.command()
def accept(campaign: str = CAMPAIGN, letter: str = LETTER) -> None:
    """Note that a player has accepted (by post, by telephone)."""
    with service() as services:
        dealt = lifecycle.accept(services, campaign, letter.upper(), "GM")
    say("accepted; all seats are taken, the deal follows" if dealt else "accepted")


@app.command("open")
def open_(
    campaign: str = CAMPAIGN, force: bool = typer.Option(False, "--force", help="Also if somebody did not accept")
) -> None:
    """Deal and print the first Bell; the trades before the game are open then."""
    with service() as services:
        lifecycle.deal(services, campaign, force=force)
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
) -> None:
    """Move the deadline; everybody is told."""
    with service() as services:
        zone = lookups.options_of(services, campaign).zone
        end = moment(until, zone) if until else None
        new = calendar.extend(services, campaign, hours=hours or None, until=end, reason=reason)
        say(f"new deadline: {local(new, zone)}")


@app.command()
def pause(campaign: str = CAMPAIGN, reason: str = typer.Option("", help="Told to the players")) -> None:
    """Let nothing happen by itself until it is resumed."""
    with service() as services:
        calendar.pause(services, campaign, reason)
    say("paused")


@app.command()
def resume(campaign: str = CAMPAIGN) -> None:
    """Go on after a pause; the deadline moves by as long as the pause was."""
    with service() as services:
        deadline = calendar.resume(services, campaign)
        zone = lookups.options_of(services, campaign).zone
    say(f"resumed; deadline {local(deadline, zone)}" if deadline else "resumed")


@app.command()
def close(campaign: str = CAMPAIGN, yes: bool = YES) -> None:
    """Seal the Phase now, whoever is missing."""
    _sure("Seal the Phase now, whoever is missing?", yes)
    with service() as services:
        calendar.close_early(services, campaign)
        _tell(ticker.tick(services, "gm campaign close"))


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
        reminded = calendar.nudge(services, campaign, [one.upper() for one in letter] if letter else None)
    say(f"reminded: {', '.join(reminded) or 'nobody, all orders are in'}")


@app.command()
def preview(campaign: str = CAMPAIGN, html: Path | None = typer.Option(None, help="Write the HTML there")) -> None:
    """The Bell as it would be printed now."""
    with service() as services:
        document = publishing.preview(services, campaign)
    if html is not None:
        html.write_text(document.html, "utf-8")
    typer.echo(document.text)


@app.command()
def edit(
    campaign: str = CAMPAIGN,
    headline: str = typer.Option(None, help="Your headline; empty text takes it back"),
    lead: str = typer.Option(None, help="Your lead"),
    decision: str = typer.Option("", help="Something the rules leave to you"),
    reason: str = typer.Option("", help="Why you decided so"),
) -> None:
    """Write headline and lead of the coming Bell, or a decision of yours."""
    with service() as services:
        if headline is not None or lead is not None:
            publishing.set_draft(services, campaign, headline=headline, lead=lead, actor="GM")
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
        rollback.rollback(services, campaign, turn, phase, reason, keep_orders=keep_orders)
        _tell(ticker.tick(services, "gm campaign rollback"))


@app.command()
def replace(campaign: str = CAMPAIGN, letter: str = LETTER, player: str = PERSON) -> None:
    """Put somebody else on a seat; he gets a briefing."""
    with service() as services:
        players.replace(services, campaign, letter.upper(), person(player))
    say(f"{letter.upper()} is now {person(player).name}")


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
        players.remove(services, campaign, letter.upper(), reason)
    say(f"{letter.upper()} leaves after this Phase, unless somebody takes the seat before")


@app.command()
def standby(campaign: str = CAMPAIGN, player: str = PERSON) -> None:
    """Put somebody on the list of standbys: he gets every Bell."""
    with service() as services:
        players.add_standby(services, campaign, person(player))
    say("noted")


@app.command()
def standin(campaign: str = CAMPAIGN, letter: str = LETTER, off: bool = typer.Option(False, "--off")) -> None:
    """Let the stand-in play a seat whenever no orders come."""
    with service() as services:
        players.set_standin(services, campaign, letter.upper(), not off)
    say("the stand-in no longer plays it" if off else "the stand-in plays it")


@app.command()
def grant(
    campaign: str = CAMPAIGN,
    request: int = typer.Argument(help="Number of the request (gm campaign show)"),
    decline: bool = typer.Option(False, "--decline"),
) -> None:
    """Answer what a player asked for."""
    with service() as services:
        calendar.settle_request(services, campaign, request, not decline)
    say("answered")


@app.command()
def finish(campaign: str = CAMPAIGN, reason: str = typer.Option("", help="Printed"), yes: bool = YES) -> None:
    """End the campaign now, with a last Bell and the standings."""
    _sure("End the campaign for good?", yes)
    with service() as services:
        lifecycle.finish(services, campaign, reason)
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


app.command("export")(archive.export)
app.command("import")(archive.import_)
