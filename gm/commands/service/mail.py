"""`gm mail`: delivery from a mail server's pipe, the quarantine, failed mail, sending and polling by hand."""

from __future__ import annotations

import sys

import typer
from rich.markup import escape
from rich.table import Table

from gm.campaign.mailbox import inbox, outbox
from gm.campaign.schedule import local
from gm.campaign.tokens import strike_secrets
from gm.commands import console
from gm.commands.wiring import AS_JSON, print_json, say, service
from gm.errors import UserError
from gm.mail.handle.handler import MailHandler
from gm.mail.handle.understand import understand
from gm.mail.parse.message import Envelope, read
from gm.mail.wiring import imap_source, sender_for

app = typer.Typer(help="Mail in and out: the pipe, the quarantine, the outbox.", no_args_is_help=True)
TEMPFAIL = 75  # sysexits: the mail server keeps the mail and tries again
NUMBER = typer.Argument(help="The number of the mail (gm mail quarantine)")


@app.command()
def deliver(
    sender: str = typer.Option("", "--from", help="The envelope's sender, as the mail server knows it"),
    to: list[str] = typer.Option([], "--to", help="The envelope's recipient; may be given several times"),
) -> None:
    """Take one mail from standard input: for a pipe in Postfix, Exim, procmail or .forward."""
    raw = sys.stdin.buffer.read()
    envelope = Envelope(sender.strip("<>"), tuple(to), source="pipe", null_sender=sender.strip() == "<>")
    try:
        with service() as services:
            handler = MailHandler(services)
            for number in handler.take_each(raw, envelope):
                try:
                    handler.handle(number)
                except Exception as error:  # it is stored: the worker will try again
                    typer.echo(f"gm: mail {number} is kept: {type(error).__name__}: {error}", err=True)
    except Exception as error:  # not stored: exit status that tells the mail server to try again
        typer.echo(f"gm: {type(error).__name__}: {error}", err=True)
        raise typer.Exit(TEMPFAIL) from None


@app.command()
def quarantine(
    campaign: str = typer.Option("", "--campaign", help="Only of one campaign"),
    held: bool = typer.Option(False, "--held", help="Those that wait for their sender's confirmation instead"),
    limit: int = typer.Option(50, help="At most so many"),
    as_json: bool = AS_JSON,
) -> None:
    """List mails that were put aside, newest first."""
    with service() as services:
        slips = inbox.in_state(services, "held" if held else "quarantined", campaign or None, limit)
        if as_json:
            print_json(slips)
            return
        table = Table("Mail", "Came", "From", "Why")
        for s in slips:
            table.add_row(str(s.id), local(s.received_at, "UTC"), escape(s.sender or "-"), escape(s.reason or ""))
        console().print(table if slips else "nothing is there")


@app.command()
def show(number: int = NUMBER, raw: bool = typer.Option(False, "--raw", help="As it came, byte for byte")) -> None:
    """Show one mail: who, why it lies where it lies, and what it says to us."""
    with service() as services:
        mail = inbox.get(services, number)
        if raw:
            sys.stdout.buffer.write(mail.raw)
            return
        incoming = read(mail.raw, Envelope(mail.envelope_from, tuple(mail.envelope_to.split(","))))
        wishes = understand(incoming, [mail.sender]).wishes
        say(f"mail {mail.id}, {mail.state}: {mail.reason or 'no remark'}")
        say(f"from {incoming.sender or 'nobody'}, {local(mail.received_at, 'UTC')}, by {mail.source}")
        say(f"subject: {incoming.subject}")
        say(f"seat: {mail.campaign or '-'} {mail.letter or '-'}")
        typer.echo(strike_secrets(incoming.own.text[:4000]))
        if wishes.orders:
            typer.echo("--- read as orders:")
            typer.echo(strike_secrets(wishes.orders[:4000]))


@app.command()
def release(
    number: int = NUMBER,
    letter: str = typer.Option("", "--as", help="Whose mail it is, by the seat's letter, if it is not known"),
    campaign: str = typer.Option("", "--campaign", help="Of which campaign, if it is not known"),
) -> None:
    """Take a mail out of quarantine and deal with it as its sender's own."""
    with service() as services:
        mail = inbox.get(services, number)
        if mail.state == "handled":
            raise UserError(f"mail {number} has been dealt with already", "gm mail show tells what came of it")
        if not (mail.campaign or campaign) or not (mail.letter or letter):
            raise UserError("it is not known whose mail this is", "give --campaign and --as")
        inbox.release(services, number, "GM", letter.upper() or None, campaign or None)
        say(f"mail {number} is {MailHandler(services).handle(number)}")


@app.command()
def send() -> None:
    """Send now whatever may be sent."""
    with service() as services:
        sender = sender_for(services)
        total = 0
        while (tried := outbox.send_due(services, sender, "gm mail send")) > 0:
            total += tried
        sender.close()
        waiting = len(outbox.listing(services, None, "queued", 1000))
        say(f"{total} mails tried, {waiting} wait, {len(outbox.listing(services, None, 'failed', 1000))} have failed")


@app.command()
def poll() -> None:
    """Read the IMAP mailbox once, and deal with what is there."""
    with service() as services:
        if not services.settings.imap_host:
            raise UserError("no IMAP mailbox is set", "set KOLOKOL_IMAP_HOST, _USER and _PASSWORD")
        handler = MailHandler(services)
        taken = imap_source(services, lambda raw, envelope: void(handler.receive(raw, envelope))).poll()
        handler.sweep()
        handler.answer_questions()
        say(f"{taken} mails taken")


@app.command()
def failed(as_json: bool = AS_JSON, again: int = typer.Option(0, "--again", help="Try this one again")) -> None:
    """List mails that could not be sent; --again NUMBER puts one back."""
    with service() as services:
        if again:
            outbox.retry(services, again, "GM")
            say(f"mail {again} will be tried again")
            return
        rows = outbox.listing(services, None, "failed", 200)
        if as_json:
            print_json([{"id": r.id, "to": r.address, "subject": r.subject, "error": r.error} for r in rows])
            return
        table = Table("Mail", "To", "Subject", "Error")
        for r in rows:
            table.add_row(str(r.id), escape(r.address), escape(r.subject), escape(r.error or ""))
        console().print(table if rows else "none has failed")


def void(_: object) -> None:
    """Discard a result."""
