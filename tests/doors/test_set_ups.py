"""Every set-up of the guides, from an empty folder to a receipt in a player's mailbox."""

from __future__ import annotations

import itertools
import smtplib

import pytest

from tests.doors.house import House, Player, Post, reply_address, text_of
from tests.support import PATIENCE, wait_until

_domains = (f"table{number}.test" for number in itertools.count(1))


@pytest.fixture
def players(post: Post) -> list[Player]:
    domain = next(_domains)
    return [Player(name, f"{name.lower()}@{domain}", post) for name in ("Anna", "Boris", "Clara")]


@pytest.fixture
def orders_at() -> str:
    return next(_domains)


def make_campaign(house: House, players: list[Player]) -> None:
    seats = [word for player in players for word in ("-p", f"{player.name} <{player.address}>")]
    gm = f"Gregor <gregor@{players[0].address.partition('@')[2]}>"
    house.gm("campaign", "new", "Summer 1918", "--gm", gm, *seats)


def accept_by_mail(house: House, players: list[Player]) -> None:
    for player in players:
        player.answers(player.waits_for("Summer 1918", PATIENCE, house.logs), "ACCEPT")


def order_by_mail(house: House, player: Player, words: str, pipe: bool = False) -> None:
    """The Bell #1 comes, and an answer to it is acknowledged."""
    bell = player.waits_for("#1", PATIENCE, house.logs)
    if pipe:
        to = reply_address(bell)
        identity, raw = player.written(to, words, bell)
        house.gm("mail", "deliver", "--from", player.address, "--to", to, stdin=raw)
    else:
        identity = player.answers(bell, words)
    receipt = text_of(player.answer_to(identity, PATIENCE, house.logs))
    assert words in receipt and "Seal:" in receipt


def test_one_process_that_reads_an_imap_mailbox(
    house: House, post: Post, players: list[Player], orders_at: str
) -> None:
    """`gm serve --worker`; Dovecot is restarted in the middle."""
    house.write_env(post.by_imap(orders_at))
    house.start("serve", "--worker")
    house.wait_for_web()
    make_campaign(house, players)
    accept_by_mail(house, players)
    order_by_mail(house, players[0], "GIVE 1 PM TO B")
    post.dovecot.stop()
    post.dovecot.start()
    order_by_mail(house, players[1], "GIVE 1 PM TO C")
    wait_until(lambda: not post.dovecot.mailbox(f"orders@{orders_at}"), PATIENCE, "mail is left in the INBOX")
    assert len(post.dovecot.mailbox(f"orders@{orders_at}", ".Kolokol")) == 5


def test_one_process_behind_postfix(house: House, post: Post, players: list[Player]) -> None:
    """`gm serve --worker` with a listener; it is restarted in the middle, and Postfix keeps the mail meanwhile."""
    house.write_env(post.by_lmtp())
    process = house.start("serve", "--worker")
    make_campaign(house, players)
    house.gm("campaign", "open", "summer-1918", "--force")
    order_by_mail(house, players[0], "GIVE 1 PM TO B")
    house.stop(process)
    bell = players[1].waits_for("#1")
    second = players[1].answers(bell, "GIVE 1 PM TO C")
    house.start("serve", "--worker")
    assert "GIVE 1 PM TO C" in text_of(players[1].answer_to(second, PATIENCE, house.logs))


def test_postfix_asks_which_addresses_there_are_and_writes_to_no_forged_sender(
    house: House, post: Post, players: list[Player]
) -> None:
    """It took mail to any address of the domain, and told whoever stood in it as the sender that it was refused."""
    house.write_env(post.by_lmtp())
    house.start("serve", "--worker")
    house.wait_for_web()
    make_campaign(house, players)
    secret = reply_address(players[0].waits_for("Summer 1918", PATIENCE, house.logs))
    unknown = secret.replace(secret[len("orders+") : len("orders+") + 4], "aaaa")
    victim = players[1].address
    local = {"nobody": 550, unknown.partition("@")[0]: 550, "orders": 250, secret.partition("@")[0]: 250}
    with smtplib.SMTP("127.0.0.1", post.postfix.port, timeout=60, source_address=("127.0.0.2", 0)) as stranger:
        stranger.ehlo()
        for name, code in local.items():
            stranger.mail(victim)
            assert stranger.rcpt(f"{name}@{post.domain}")[0] == code, name
            stranger.rset()
        stranger.mail(victim)
        assert stranger.rcpt("somebody@elsewhere.test")[0] in (454, 554), "and it is no open relay"
        stranger.rset()
        stranger.sendmail(victim, [f"orders@{post.domain}"], b"From: x@evil.test\r\nSubject: hello\r\n\r\nx\r\n")
    wait_until(lambda: "unknown sender" in house.gm("mail", "quarantine"), PATIENCE, house.logs)
    assert "non-delivery" not in post.postfix.log and len(post.dovecot.mailbox(victim)) == 1


def test_one_process_and_a_pipe(house: House, post: Post, players: list[Player], orders_at: str) -> None:
    """`gm serve --worker`, and a mail server that calls `gm mail deliver`."""
    house.write_env(post.settings(orders_at))
    house.start("serve", "--worker")
    make_campaign(house, players)
    house.gm("campaign", "open", "summer-1918", "--force")
    order_by_mail(house, players[0], "GIVE 1 PM TO B", pipe=True)


def test_web_and_worker_apart(house: House, post: Post, players: list[Player], orders_at: str) -> None:
    """`gm serve` and `gm worker`."""
    house.write_env(post.by_imap(orders_at))
    house.start("serve")
    house.start("worker")
    make_campaign(house, players)
    house.gm("campaign", "open", "summer-1918", "--force")
    order_by_mail(house, players[0], "GIVE 1 PM TO B")


@pytest.mark.postgres
def test_two_workers_on_postgresql(
    house: House, post: Post, players: list[Player], orders_at: str, postgres_url: str
) -> None:
    """`gm serve` and two `gm worker`; one reads the mailbox, and the other goes on when it is killed."""
    database = {"DATABASE_URL": postgres_url, "SECRET_KEY": "k" * 40}
    house.write_env(post.by_imap(orders_at) | database)
    house.start("serve")
    first, _ = house.start("worker"), house.start("worker")
    make_campaign(house, players)
    house.gm("campaign", "open", "summer-1918", "--force")
    order_by_mail(house, players[0], "GIVE 1 PM TO B")
    first.kill()
    order_by_mail(house, players[1], "GIVE 1 PM TO C")
