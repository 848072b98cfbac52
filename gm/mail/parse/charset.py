"""Decoding bytes to text, even with a wrong charset label. Never raises, never returns a lone surrogate or a NUL."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

# Labels that mean "eight bits, some western code page": the bytes decide whether it was UTF-8 after all.
_EIGHT_BIT = re.compile(r"^(us-)?ascii$|^iso-?8859|^latin|^windows-125|^cp125|^unknown|^x-unknown|^8bit|^default", re.I)
# As web browsers do: latin-1 in a label nearly always means windows-1252.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932"}
# Codecs of Python that are no charsets (a stranger's label could run rot13 or unzip).
_ALLOWED = re.compile(r"^(utf|iso|latin|cp|koi8|mac|gb|big5|hz|euc|shift_jis|johab|tis|ptcp|kz1048|ascii)", re.I)

# What is tried where the label is missing or cannot be right.
_GUESSED = ["cp1252", "cp1251", "koi8_r", "iso8859_5", "cp1250", "iso8859_2", "cp1253", "cp1254"]
_GUESS_BYTES = 20_000
# Letters beyond ASCII that one western language uses; a text that keeps to one of them is what cp1252 makes of it.
_WESTERN = tuple(
    frozenset(letters + letters.upper())
    for letters in ("äöüßé", "àâæçéèêëîïôœùûüÿ", "áéíóúñü", "àèéìòù", "áâãàçéêíóôõú", "åäöæøé", "ëïéèöüáó")
)
_SIGNS = frozenset("\xa0«»„“”‘’‚…–—•°§€£¿¡´·")

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def known(label: str | None) -> str | None:
    """The Python name of a charset label, None if there is no such charset."""
    if not label:
        return None
    label = label.strip().strip("\"'").strip()
    if not label.isascii() or len(label) > 40 or "\x00" in label:
        return None
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    return name if _ALLOWED.match(name) and not name.endswith("_codec") else None


def decode(data: bytes, label: str | None = None) -> str:
    """The text that these bytes most likely are, given what the mail program said they are."""
    return _tidy(_decode(data, label))


def _decode(data: bytes, label: str | None) -> str:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(name, "replace")
    declared = known(label)
    if _looks_like_utf16(data) and declared in (None, "ascii", "utf-8", "iso8859-1", "cp1252"):
        return data.decode("utf-16-le" if data[1:2] == b"\x00" else "utf-16-be", "replace")
    eight_bit = declared is None or _EIGHT_BIT.match(declared) or declared == "utf-8" or declared == "ascii"
    if eight_bit:
        # Text in another code page is valid UTF-8 only by a rare accident.
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    name = _MEANT.get(declared or "ascii", declared or "cp1252")
    if name in ("utf-8", "cp1252"):  # labelled UTF-8 and is not; or the label that is put on anything
        name = _guess(data)
    try:
        return data.decode(name)
    except (UnicodeDecodeError, LookupError, ValueError):
        return data.decode(name if name != "cp1252" else "latin-1", "replace")


def _guess(data: bytes) -> str:
    """The code page of text whose label says nothing."""
    head = data[:_GUESS_BYTES]
    beyond = {c for c in head.decode("cp1252", "replace") if not c.isascii()} - _SIGNS
    if any(beyond <= letters for letters in _WESTERN):
        return "cp1252"
    found = from_bytes(head, cp_isolation=_GUESSED).best()
    return found.encoding if found is not None and found.encoding in _GUESSED else "cp1252"


def _looks_like_utf16(data: bytes) -> bool:
    """Plain letters in UTF-16 have a NUL in every other byte."""
    head = data[:400]
    if len(head) < 8:
        return False
    half = len(head) // 2
    return max(head[0::2].count(0), head[1::2].count(0)) > half * 0.7


def _tidy(text: str) -> str:
    text = text.replace("\x00", "")
    return text.encode("utf-8", "replace").decode("utf-8") if _SURROGATE.search(text) else text


_SURROGATE = re.compile("[\ud800-\udfff]")
