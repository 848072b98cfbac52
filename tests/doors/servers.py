"""Debian's Dovecot and Postfix on loopback, with folders of their own: Maildirs, `recipient_delimiter = +`, IDLE."""

from __future__ import annotations

import email
import os
import shutil
import smtplib
import socket
import subprocess
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from gm.rehearsal.crew import free_port
from tests.doors.documents import read
from tests.support import PATIENCE, wait_until

PASSWORD = "only-for-this-test"
PROGRAMS = ("dovecot", "postfix")
_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_ENVIRONMENT = os.environ | {"PATH": _PATH}


def program(name: str) -> str | None:
    return shutil.which(name, path=_PATH)


def missing() -> list[str]:
    """What keeps these servers from running here; Postfix and Dovecot must be started by root."""
    return [name for name in PROGRAMS if program(name) is None] + (["root"] if os.geteuid() != 0 else [])


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


class Dovecot:
    """Everybody's mailbox: any address, one password, a Maildir each. Mail comes in by LMTP."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.imap_port, self.lmtp_port = free_port(), free_port()
        self._mail = folder / "mail"
        self._mail.mkdir(parents=True)
        shutil.chown(self._mail, "mail", "mail")
        self._conf = folder / "dovecot.conf"
        self._conf.write_text(_DOVECOT.format(folder=folder, mail=self._mail, password=PASSWORD, **self._ports()))
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _ports(self) -> dict[str, int]:
        return {"imap": self.imap_port, "lmtp": self.lmtp_port}

    def start(self) -> None:
        command = [str(program("dovecot")), "-F", "-c", str(self._conf)]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_until(lambda: answers(self.imap_port) and answers(self.lmtp_port), PATIENCE, self._folder / "dovecot.log")

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)

    def mailbox(self, address: str, folder: str = "") -> list[EmailMessage]:
        """What lies in somebody's INBOX, oldest first."""
        local, _, domain = address.partition("@")
        box = self._mail / domain / local / folder
        found = [*(box / "new").glob("*"), *(box / "cur").glob("*")] if box.exists() else []
        mails = (_message(path) for path in sorted(found, key=lambda path: path.name))
        return [mail for mail in mails if mail is not None]


_read: dict[str, EmailMessage] = {}


def _message(path: Path) -> EmailMessage | None:
    """A mail in a Maildir never changes; its name is unique. None if somebody moved it away just now."""
    name = path.name.split(":")[0]
    if name not in _read:
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        message = email.message_from_bytes(raw, policy=default)
        assert isinstance(message, EmailMessage)
        _read[name] = message
    return _read[name]


class Postfix:
    """The mail server between the service and its players. `domain` goes to the service's own listener, as
    docs/gamesmaster-guide.md says; everything else into the Maildirs."""

    def __init__(self, folder: Path, dovecot: Dovecot, domain: str, listener: int) -> None:
        self.port = free_port()
        self._conf = folder / "conf"
        for name in ("conf", "spool", "data"):
            (folder / name).mkdir(parents=True)
        shutil.chown(folder / "data", "postfix", "postfix")
        (self._conf / "transport").write_text(
            f"/@{domain}$/ lmtp:inet:127.0.0.1:{listener}\n/./ lmtp:inet:127.0.0.1:{dovecot.lmtp_port}\n"
        )
        (self._conf / "main.cf").write_text(_MAIN.format(folder=folder) + _as_the_guide_has_it(folder, domain))
        (self._conf / "master.cf").write_text(_MASTER.format(port=self.port))
        self._log = folder / "mail.log"
        self._process = subprocess.Popen(
            [str(program("postfix")), "-c", str(self._conf), "start-fg"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=_ENVIRONMENT,
        )
        wait_until(lambda: answers(self.port), PATIENCE, self._log)

    def send(self, sender: str, to: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, [to], raw)

    @property
    def log(self) -> str:
        return self._log.read_text()

    def stop(self) -> None:
        subprocess.run([str(program("postfix")), "-c", str(self._conf), "stop"], env=_ENVIRONMENT, check=True)
        self._process.wait(PATIENCE)


def _as_the_guide_has_it(folder: Path, domain: str) -> str:
    """The lines of docs/gamesmaster-guide.md, for our domain and folder."""
    lines = "\n".join((*read("docs/gamesmaster-guide.md").postfix, ""))
    ours = {"bell.example.org": domain, "hash:/etc/postfix/transport": f"regexp:{folder}/conf/transport"}
    for theirs, our in ours.items():
        assert theirs in lines
        lines = lines.replace(theirs, our)
    return lines


_DOVECOT = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
mail_location = maildir:{mail}/%d/%n
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
recipient_delimiter = +
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={mail}/%d/%n allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
namespace inbox {{
  inbox = yes
}}
"""

_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/mail.log
maillog_file_prefixes = {folder}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.bell.test
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.1/32
smtpd_peername_lookup = no
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
"""

_MASTER = """\
{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
