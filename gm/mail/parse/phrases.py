"""Patterns of lines that mail programs add: attributions, forward headers, signatures, farewells; in many languages."""

from __future__ import annotations

import re


def _either(words: str) -> str:
    """One alternative a line or between `|`s; blanks inside an alternative count, those around it do not."""
    return "|".join(w for w in (" ".join(part.split()) for part in re.split(r"\||\n", words)) if w)


def _a_line(patterns: str) -> str:
    """One pattern a line."""
    return "|".join(line.strip() for line in patterns.strip().split("\n"))


_WROTE = _either("""
    wrote | writes | schrieb | schreibt | a écrit | a ecrit | écrit | escribió | escribio | escreveu | ha scritto
    scrive | schreef | skrev | kirjoitti | napsal(?:\\(a\\))? | napsala | napisał(?:\\(a\\))? | napisala? | pisze
    írta | yazdı | пишет | писал(?:\\(а\\))? | написал(?:\\(а\\))? | написала | написав
    写道 | 님이 작성 | さんは書きました
""")
_DAY = r"\d{1,4}[./年-]|\d{1,2}:\d{2}|\b(?:19|20)\d\d\b"

_WROTE_THIS = re.compile(rf"(?:{_WROTE})\b", re.I)
_WROTE_ALONE = re.compile(r"\b(?:wrote|writes|schrieb|a écrit|пишет|ha scritto|escribió)\s?:$", re.I)
_ADDRESS_LAST = re.compile(r"<[^<>\s@]{2,90}@[^<>\s@]{2,90}>\s?[:：]$")
_COLON_LAST = re.compile(r"[:：]\W{0,3}$")
_DAY_OR_ADDRESS = re.compile(rf"{_DAY}|@")
_A_DAY = re.compile(_DAY)
_BETWEEN_DASHES = re.compile(rf"^-{{2,6}}\s?(?=.*(?:{_DAY})).{{0,200}}(?:{_WROTE})\s?-{{2,6}}$", re.I)
_YEAR, _CLOCK = re.compile(r"\b20\d\d\b"), re.compile(r"\d{1,2}[:.]\d{2}")
_LONGEST_BEFORE, _LONGEST_BEHIND = 300, 160  # characters around the word for writing


def is_attribution(text: str) -> bool:
    """One attribution, lines joined and stripped: "On Mon, 1 Mar 2026 at 10:11, The Bell <orders@...> wrote:". Looked
    at piece by piece: one pattern for the whole of it is slow on lines that are nearly one."""
    end = _COLON_LAST.search(text, max(0, len(text) - 4))
    if end is None:
        return text.startswith("--") and text.endswith("--") and bool(_BETWEEN_DASHES.match(text))
    if _DAY_OR_ADDRESS.search(text):
        first = end.start() - _LONGEST_BEHIND
        if any(w.start() <= _LONGEST_BEFORE and w.end() >= first for w in _WROTE_THIS.finditer(text)):
            return True
    if (alone := _WROTE_ALONE.search(text)) and 1 <= alone.start() <= 80:
        return True
    return bool(_ADDRESS_LAST.search(text) and _A_DAY.search(text))


_NOTES = re.compile(r"^.{1,120}? ?---\s?\d[\d./-]{5,11}\s[\d:.]{4,8}")  # `Boris ---18.11.2026 20:22:33---Let us ...`


def is_attribution_without_colon(text: str) -> bool:
    """`Am Mittwoch, 18. November 2026, 20:22:11 CET schrieb Boris`: as some programs end it. No sentence does."""
    if _NOTES.match(text[:_LONGEST_BEFORE]):
        return True
    if len(text) > _LONGEST_BEFORE or text.endswith((".", "!", "?")) or not ATTRIBUTION_OPENS.match(text):
        return False
    return bool(_YEAR.search(text) and _CLOCK.search(text) and _WROTE_THIS.search(text))


# Yahoo on a phone: the quotation goes on behind the colon.
ATTRIBUTION_AND_MORE = re.compile(
    rf"^\s*(?:On|Am|Le|El|Il|Em|Op|Den)\b(?=.{{0,300}}(?:{_DAY})).{{0,300}}?(?:{_WROTE})\s?[:：]\s{{2,}}\S", re.I
)
# The first line of an attribution that was folded: nothing but its opening is certain.
ATTRIBUTION_OPENS = re.compile(
    rf"^(?:On|Am|Le|El|Il|Em|Op|Den|Dne|Dnia|W dniu|В|Man|Tir|Ons|Tor|Fre|Lør|Søn|пн|вт|ср|чт|пт|сб|вс|\d\d?[./]\d)\b"
    rf".{{0,300}}(?:{_DAY})",
    re.I,
)

_ORIGINAL = _either("""
    original message | original appointment | ursprüngliche nachricht | originalnachricht | original-nachricht
    message d['’]origine | message original | mensaje original | mensagem original | messaggio originale
    oorspronkelijk bericht | originalmeddelande | oprindelig meddelelse | opprinnelig melding | alkuperäinen viesti
    wiadomość oryginalna | oryginalna wiadomość | původní zpráva | исходное сообщение | eredeti üzenet
    reply message | reply above this line
""")
# Drawn lines are counted: with two unbounded repeats side by side, a line of nothing but dashes costs its square.
_DRAWN = r"\W{0,4}[-_–—]{2,60}\s{0,4}"
_ABOVE = r"\W{1,6}[\w ,]{0,40}(?:reply|answer) above this line\b\W{0,9}"
ORIGINAL = re.compile(rf"^{_DRAWN}(?:{_ORIGINAL})\s{{0,4}}[-_–—]{{3,60}}\W{{0,9}}$|^{_ABOVE}$", re.I)

_FORWARDED = _either("""
    forwarded message | weitergeleitete nachricht | message transféré | message transmis | mensaje reenviado
    mensagem encaminhada | messaggio inoltrato | doorgestuurd bericht | vidarebefordrat meddelande | videresendt
    przekazana wiadomość | пересылаемое сообщение | пересланное сообщение | přeposlaná zpráva | välitetty viesti
""")
_FORWARD_BEGINS = _either("""
    begin forwarded message | anfang der weitergeleiteten nachricht | début du message réexpédié
    inicio del mensaje reenviado | inizio messaggio inoltrato | begin doorgestuurd bericht
""")
FORWARDED = re.compile(rf"^{_DRAWN}(?:{_FORWARDED})\b.{{0,200}}$|^(?:{_FORWARD_BEGINS})\s*:\s*$", re.I)
FORWARD_ENDS = re.compile(rf"^{_DRAWN}end forwarded message\s{{0,4}}-{{2,60}}\W{{0,9}}$", re.I)

_NAMES = {
    "from": "from|von|de|da|van|från|fra|od|lähettäjä|от|от кого|发件人|差出人",
    "sent": """
        sent | date | gesendet | datum | envoyé | enviado | enviado el | enviada em | data | fecha | inviato | verzonden
        skickat | sendt | dato | wysłano | odesláno | lähetetty | päivämäärä | дата | отправлено | date d['’]envoi
        发送时间 | 日時
    """,
    "to": "to|an|à|a|para|aan|till|til|do|komu|vastaanottaja|кому|收件人|宛先",
    "cc": "cc|kopie|copie|kopia|kopi|dw|копия|抄送|reply-to|antwort an",
    "subject": "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|předmět|aihe|тема|主题|件名",
}
_HEADER = {
    kind: re.compile(rf"^[\s>*_]{{0,40}}(?:{_either(names)})\s?\*?[:：]\*?\s*(.*)$", re.I)
    for kind, names in _NAMES.items()
}


def header_line(line: str) -> tuple[str, str] | None:
    """`Von: Lenin <lenin@...>` -> ("from", "Lenin <lenin@...>"): a line of a header block as programs copy it."""
    if len(line) > 1000:
        return None
    for kind, pattern in _HEADER.items():
        if found := pattern.match(line):
            return kind, found.group(1).strip("* ")
    return None


_FIELDS = {kind: re.compile(rf"(?<!\w)(?:{_either(names)})\s?[:：](?=\s)", re.I) for kind, names in _NAMES.items()}


def fields_in(line: str) -> int:
    """How many kinds of fields of a head stand in one line."""
    return sum(1 for pattern in _FIELDS.values() if pattern.search(line)) if line.count(":") > 1 else 0


RULE = re.compile(r"^\s*[_\-–—=*]{8,}\s*$")  # a drawn line

_FOOTER = _a_line(r"""
    sent (?:from|via|with|using)\b.{0,80}
    get outlook for\b.{0,80}
    get (?:the )?yahoo\b.{0,60}
    (?:diese nachricht wurde )?(?:von|mit) (?:meinem|meiner|der|dem)\b.{0,70}\bgesendet\W*
    gesendet (?:von|mit|aus|über)\b.{0,80}
    holen sie sich outlook\b.{0,60}
    hol dir outlook\b.{0,60}
    outlook für (?:ios|android).{0,60}
    envoyé (?:de|depuis|avec|à partir)\b.{0,80}
    télécharger outlook\b.{0,60}
    obtenez outlook\b.{0,60}
    enviado (?:desde|do|de|com|a partir)\b.{0,80}
    obtener outlook\b.{0,60}
    inviato (?:da|dal|con)\b.{0,80}
    scarica outlook\b.{0,60}
    verzonden (?:vanaf|met|via)\b.{0,80}
    skickat från\b.{0,80}
    sendt fra\b.{0,80}
    lähetetty\b.{0,60}
    wysłan[eo] z\b.{0,80}
    odesláno z\b.{0,80}
    отправлено (?:с|из|от)\b.{0,80}
    diese e-?mail wurde von avast\b.{0,80}
    virus-free\b.{0,80}
    virenfrei\b.{0,60}
    (?:please )?excuse (?:my |any )?(?:brevity|typos)\b.{0,60}
""")
FOOTER = re.compile(rf"^\W{{0,3}}(?:{_FOOTER})$", re.I)

# Words that end a letter; below them stands a name and perhaps a disclaimer.
_CLOSING = _a_line(r"""
    (?:best|kind|warm|many)?\s*(?:regards|wishes)
    cheers|thanks|thank you|thx|yours|sincerely|best|all the best|bye
    (?:mit )?(?:freundliche[nr]?|viele|liebe|beste|herzliche)n? grü(?:ß|ss)en?
    mfg|vg|lg|gru(?:ß|ss)|danke
    cordialement|bien à (?:toi|vous)|amicalement|merci
    saludos|un saludo|gracias|saluti|cordiali saluti|grazie
    met vriendelijke groet(?:en)?|groeten|mvh|hälsningar|hilsen
    pozdrawiam|s pozdravem|с уважением|спасибо
""")
CLOSING = re.compile(rf"^\W{{0,2}}(?:{_CLOSING})\b.{{0,30}}$", re.I)

# Sentences that open with a word of the order language and are none of it.
_IDIOM = _a_line(r"""
    take care|take your time|take it easy
    give my (?:regards|best)|give (?:me|us)
    add me|move on|press on|standing by|exit poll
    help me(?! with)
    orders? (?:below|follow|attached|are|from|for you|in the|of [a-h] for)|my orders|end of (?:orders|message)
""")
IDIOM = re.compile(rf"^\W{{0,2}}(?:{_IDIOM})\b", re.I)

# How people say that a mail was not theirs; only as the first words of the answer to that very question.
_NO = _either("""
    no | not me | not mine | it was not me | it wasn't me | i did not | i didn't | deny
    nein | nicht ich | nicht von mir | das war ich nicht | non | pas moi | no fui yo | não | nao | nee | nej | nei | ei
    nie | to nie ja | ne | nem | hayır | нет | не я | это не я | ні | いいえ | 不是
""")
LONGEST_NO = 200
NO = re.compile(rf"^\W{{0,3}}(?:{_NO})(?!\w)", re.I)
# The same anywhere in a line that stands beside a yes.
DENIAL = re.compile(rf"(?<!\w)(?:{_NO}|not|never|nicht|kein\w*|pas|jamais|не|ніколи|никогда)(?!\w)|n['’]t\b", re.I)
