"""An installation as a person makes one: an empty folder, a `.env`, and `gm` started in it as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

from gm.rehearsal.crew import free_port
from tests.doors.servers import PASSWORD, Dovecot, Postfix
from tests.support import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def clean_environment() -> dict[str, str]:
    """The environment of somebody who has never heard of Kolokol, with `gm` on the path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KOLOKOL_")}
    return kept | {"PATH": f"{BIN}:{kept.get('PATH', '')}"}


@dataclass
class Post:
    """The servers of a test, and where the service itself may listen."""

    dovecot: Dovecot
    postfix: Postfix
    domain: str  # goes to the service's own listener
    listener: int

    def settings(self, orders_at: str) -> dict[str, object]:
        """`.env` for an installation that sends through Postfix; its players write to a domain."""
        return {
            "MAIL_TRANSPORT": "smtp",
            "MAIL_FROM": f"gm@{orders_at}",
            "MAIL_DOMAIN": orders_at,
            "ORDERS_ADDRESS": f"orders@{orders_at}",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": self.postfix.port,
            "SMTP_TLS": "none",
            "MAILS_PER_MINUTE": 6000,
        }

    def by_imap(self, orders_at: str) -> dict[str, object]:
        return self.settings(orders_at) | {
            "IMAP_HOST": "127.0.0.1",
            "IMAP_PORT": self.dovecot.imap_port,
            "IMAP_TLS": "false",
            "IMAP_USER": f"orders@{orders_at}",
            "IMAP_PASSWORD": PASSWORD,
        }

    def by_lmtp(self) -> dict[str, object]:
        return self.settings(self.domain) | {"LMTP_LISTEN": f"127.0.0.1:{self.listener}"}


@dataclass
class House:
    folder: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    port: int = field(default_factory=free_port)

    def write_env(self, settings: dict[str, object]) -> None:
        given = {"LISTEN": f"127.0.0.1:{self.port}", "BASE_URL": self.url, "TICK_SECONDS": 1} | settings
        (self.folder / ".env").write_text("".join(f"KOLOKOL_{name}={value}\n" for name, value in given.items()))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def gm(self, *arguments: str, stdin: bytes = b"", fails: bool = False) -> str:
        """Run a command to its end. Gives what it printed."""
        done = subprocess.run(
            [str(BIN / "gm"), *arguments],
            cwd=self.folder,
            env=clean_environment(),
            input=stdin,
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode != 0) == fails, f"gm {' '.join(arguments)}: {done.stdout!r} {done.stderr!r}"
        return done.stdout.decode() + done.stderr.decode()

    def start(self, *arguments: str, **environ: str) -> subprocess.Popen[bytes]:
        """Start a command that goes on until it is stopped. What it says is in a file of the folder."""
        log = (self.folder / f"{'-'.join(arguments)}-{len(self.running)}.log").open("wb")
        process = subprocess.Popen(
            [str(BIN / "gm"), *arguments],
            cwd=self.folder,
            env=clean_environment() | environ,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        log.close()
        self.running.append(process)
        return process

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.url + path, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def wait_for_web(self, seconds: float = PATIENCE) -> None:
        wait_until(lambda: self.get("/healthz")[0] == 200, seconds, self.logs)

    def logs(self) -> str:
        return "\n".join(f"--- {p.name}\n{p.read_text()[-3000:]}" for p in sorted(self.folder.glob("*.log")))

    def stop(self, process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
        process.send_signal(how)
        process.wait(PATIENCE)
        self.running.remove(process)

    def close(self) -> None:
        for process in list(self.running):
            if process.poll() is None:
                process.kill()
            process.wait(PATIENCE)
        self.running.clear()


@dataclass
class Player:
    """Somebody with a mailbox, who answers mails."""

    name: str
    address: str
    post: Post
    sent: int = 0

    @property
    def inbox(self) -> list[EmailMessage]:
        return self.post.dovecot.mailbox(self.address)

    def waits_for(self, words: str, seconds: float = PATIENCE, why: object = "") -> EmailMessage:
        """The first mail with these words in its subject."""

        def look() -> EmailMessage | None:
            return next((m for m in self.inbox if words in str(m["Subject"])), None)

        def explain() -> str:
            more = why() if callable(why) else why
            inbox = self.inbox
            last = text_of(inbox[-1]) if inbox else ""
            subjects = [str(mail["Subject"]) for mail in inbox]
            return f"{self.name} waits for {words!r} and has {subjects}, last:\n{last}\n{more}"

        found = wait_until(look, seconds, explain)
        assert found is not None
        return found

    def written(self, to: str, words: str, answering: EmailMessage | None = None) -> tuple[str, bytes]:
        """(Message-ID, a mail of theirs)."""
        self.sent += 1
        identity = f"<{self.name}.{self.sent}.{free_port()}@{self.address.partition('@')[2]}>"
        head = {"From": f"{self.name} <{self.address}>", "To": to, "Message-ID": identity, "Subject": "orders"}
        if answering is not None:
            head |= {"Subject": f"Re: {answering['Subject']}", "In-Reply-To": str(answering["Message-ID"])}
        fields = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        return identity, (fields + "\r\n" + words.replace("\n", "\r\n") + "\r\n").encode()

    def answers(self, mail: EmailMessage, words: str) -> str:
        """Press Reply, type, press Send. Gives the Message-ID."""
        to = reply_address(mail)
        identity, raw = self.written(to, words, mail)
        self.post.postfix.send(self.address, to, raw)
        return identity

    def answer_to(self, identity: str, seconds: float = PATIENCE, why: object = "") -> EmailMessage:
        """The mail that answers the one with this Message-ID."""

        def look() -> EmailMessage | None:
            return next((m for m in self.inbox if str(m["In-Reply-To"]).strip() == identity), None)

        def explain() -> str:
            return f"no answer to {identity} for {self.name}\n{why() if callable(why) else why}"

        found = wait_until(look, seconds, explain)
        assert found is not None
        return found


def reply_address(mail: EmailMessage) -> str:
    return parseaddr(str(mail["Reply-To"]))[1]


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""
