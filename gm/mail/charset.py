"""Bytes to text, whatever the label says. Never raises and never returns a lone surrogate or a NUL."""

from __future__ import annotations

import codecs
import re

# Labels that mean "eight bits, some western code page": the bytes decide whether it was UTF-8 after all.
_EIGHT_BIT = re.compile(r"^(us-)?ascii$|^iso-?8859|^latin|^windows-125|^cp125|^unknown|^x-unknown|^8bit|^default", re.I)
# What the web learnt the hard way: latin-1 in a label nearly always means windows-1252.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932"}
# Encodings of Python that are no charsets (they would run rot13 or unzip on a stranger's word).
_ALLOWED = re.compile(r"^(utf|iso|latin|cp|koi8|mac|gb|big5|hz|euc|shift_jis|johab|tis|ptcp|kz1048|ascii)", re.I)

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
    if name == "utf-8":
        name = "cp1252"  # labelled UTF-8 and is not
    try:
        return data.decode(name)
    except (UnicodeDecodeError, LookupError, ValueError):
        return data.decode(name if name != "cp1252" else "latin-1", "replace")


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
