"""Classifying mail: ordinary, bounce, auto-reply, mailing list, loop. Only ordinary mail is answered."""

from __future__ import annotations

import re
from email.message import Message
from enum import StrEnum

from gm.mail.parse import headers

MAX_HOPS = 40
LOOP_HEADER = "X-Kolokol-Loop"  # every mail of ours carries it; a mail that comes back with it is a loop


class MailKind(StrEnum):
    ORDINARY = "ordinary"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    BULK = "bulk"
    LOOP = "loop"
    OVERSIZE = "oversize"
    MALFORMED = "malformed"


LIKE_A_PERSONS = "subject"  # all that told of an automatic mail, in words that people write too
_DAEMON = re.compile(r"^(mailer-daemon|postmaster|mail-daemon|mdaemon|daemon)@", re.I)
_ROBOT = re.compile(r"^(no-?reply|do-?not-?reply|donotreply|noreply[\w.+-]*|bounces?[+@].*|notifications?)@?", re.I)
_AUTO_SUBJECT = re.compile(
    r"^\s*(?:auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|vacation (?:reply|message)|away from|"
    r"abwesenheits(?:notiz|assistent|benachrichtigung)|automatische antwort|abwesend\b|"
    r"réponse automatique|absence du bureau|respuesta automática|fuera de (?:la )?oficina|resposta automática|"
    r"risposta automatica|fuori sede|automatisch antwoord|afwezig|autosvar|automaattinen vastaus|"
    r"automatyczna odpowiedź|automatická odpověď|автоответ|автоматический ответ)",
    re.I,
)
_OF_A_MACHINE = re.compile(r"\s{0,3}[:：]")  # `Out of office: Re: The Bell`
_BOUNCE_SUBJECT = re.compile(
    r"^\s*(?:undeliver(?:ed|able)|delivery status notification|mail delivery (?:failed|failure|system)|failure notice|"
    r"returned mail|unzustellbar|delivery has failed|non remis|no se puede entregar|не доставлено)",
    re.I,
)
_BULK = ("List-Id", "List-Post", "X-Mailing-List", "X-Campaign-Id", "X-Mailer-RecptId")
_AUTO_FIELDS = ("X-Autoreply", "X-Autorespond", "X-Auto-Response", "X-AutoReply-From", "X-Vacation", "X-Mail-Autoreply")


def kind_of(message: Message, null_sender: bool) -> tuple[MailKind, str]:
    """The kind, and what told: the order matters, a bounce of our own mail also looks like an auto-reply."""
    sender = headers.sender(message)
    content = message.get_content_type()
    report = (message.get_param("report-type") or "") if content == "multipart/report" else ""
    if str(report).lower() == "delivery-status":
        return MailKind.BOUNCE, "delivery status report"
    if message.get(LOOP_HEADER) is not None:
        return MailKind.LOOP, LOOP_HEADER
    if len(message.get_all("Received", [])) > MAX_HOPS:
        return MailKind.LOOP, "too many hops"
    subject = headers.text(message, "Subject")
    return_path = headers.raw(message, "Return-Path")
    nobody = null_sender or return_path == "<>"
    if _DAEMON.match(sender) or (nobody and _BOUNCE_SUBJECT.match(subject)):
        return MailKind.BOUNCE, "mail system"
    if content == "multipart/report" or content == "message/disposition-notification":
        return MailKind.AUTO_REPLY, "report"
    if told := _automatic(message, subject, nobody, sender):
        return MailKind.AUTO_REPLY, told
    if told := _bulk(message):
        return MailKind.BULK, told
    return MailKind.ORDINARY, ""


def _automatic(message: Message, subject: str, nobody: bool, sender: str) -> str:
    submitted = headers.raw(message, "Auto-Submitted").split(";")[0].strip().lower()
    if submitted and submitted != "no":
        return f"Auto-Submitted: {submitted}"
    if field := next((f for f in _AUTO_FIELDS if message.get(f) is not None), None):
        return field
    if headers.raw(message, "Precedence").lower() in ("auto_reply", "auto-reply"):
        return "Precedence"
    if found := _AUTO_SUBJECT.match(subject):
        return "subject of a machine" if _OF_A_MACHINE.match(subject[found.end() :]) else LIKE_A_PERSONS
    if nobody:
        return "empty sender"
    if headers.raw(message, "X-Loop"):
        return "X-Loop"
    return "robot address" if _ROBOT.match(sender.split("@")[0] + "@") and sender else ""


def _bulk(message: Message) -> str:
    precedence = headers.raw(message, "Precedence").lower()
    if precedence in ("bulk", "junk", "list"):
        return f"Precedence: {precedence}"
    return next((f for f in _BULK if message.get(f) is not None), "")
