"""Five mail programs, and how each of them writes an answer."""

from __future__ import annotations

import base64
import html
import quopri
from email.message import EmailMessage

from tests.mail.world import text_of


def _quoted(mail: EmailMessage, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() for line in text_of(mail).split("\n"))


def gmail(mail: EmailMessage, words: str, to: str) -> str:
    """Above the quotation, plain and HTML."""
    plain = f"{words}\n\nOn Mon, Mar 2, 2026 at 10:15 AM The Bell <{to}> wrote:\n\n{_quoted(mail)}\n"
    lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in words.split("\n"))
    old = html.escape(text_of(mail))
    markup = f'<div dir="ltr">{lines}</div><br><div class="gmail_quote"><blockquote>{old}</blockquote></div>'
    return (
        'Content-Type: multipart/alternative; boundary="00aa"\n\n--00aa\nContent-Type: text/plain; charset="UTF-8"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{quopri.encodestring(plain.encode()).decode()}\n--00aa\n"
        'Content-Type: text/html; charset="UTF-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
        f"{quopri.encodestring(markup.encode()).decode()}\n--00aa--\n"
    )


def outlook(mail: EmailMessage, words: str, to: str) -> str:
    """HTML only; below a header block the mail that is answered, without marks."""

    def paragraphs(text: str) -> str:
        return "".join(f"<p class=MsoNormal>{line or '&nbsp;'}</p>" for line in html.escape(text).split("\n"))

    head = f"<b>From:</b> The Bell &lt;{to}&gt;<br><b>Sent:</b> Monday, March 2, 2026 10:15<br><b>To:</b> me"
    head = f"<div><p class=MsoNormal>{head}<br><b>Subject:</b> The Bell</p></div>"
    own = paragraphs(words).replace("-", "&#8209;")  # its autocorrect
    markup = f"<html><body><div class=WordSection1>{own}{head}{paragraphs(text_of(mail))}</div></body></html>"
    data = base64.encodebytes(markup.encode()).decode()
    return f"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{data}"


def mutt(mail: EmailMessage, words: str, to: str) -> str:
    """Below the quotation, with a signature."""
    said = "On Mon, Mar 02, 2026 at 10:15:00AM +0100, The Bell wrote:"
    body = f"{said}\n{_quoted(mail)}\n\n{words}\n\n-- \nSent by mutt\n"
    return f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}"


def iphone(mail: EmailMessage, words: str, to: str) -> str:
    said = f"> On Mar 2, 2026, at 10:15 AM, The Bell <{to}> wrote:"
    body = f"{words}\n\nSent from my iPhone\n\n{said}\n> \n{_quoted(mail)}\n"
    data = base64.encodebytes(body.encode()).decode()
    return f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{data}"


def thunderbird(mail: EmailMessage, words: str, to: str) -> str:
    """Typed in the middle of the quotation, format=flowed: every second order after the first half of the Bell."""
    lines = _quoted(mail).split("\n")
    middle = len(lines) // 2
    body = "\n".join(["Am 02.03.26 um 10:15 schrieb The Bell:", *lines[:middle], "", words, "", *lines[middle:]])
    return f"Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit\n\n{body}\n"
