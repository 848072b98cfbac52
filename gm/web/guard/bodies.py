"""What a form may be, seen before it is read: reading one costs what its fields and the heads of its parts cost, and
that before anybody knows who sent it."""

from __future__ import annotations

from python_multipart.multipart import parse_options_header

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
MOST_FIELDS = 500  # a new campaign has the most, some eighty
LONGEST_HEAD = 600  # bytes above a part: its name, that of its file, its type
LONGEST_BOUNDARY = 70  # RFC 2046, 5.1.1


def kind_of(content_type: str) -> str:
    """The type alone, as the reader of forms takes it."""
    return parse_options_header(content_type)[0].decode("latin-1").lower()


def is_cheap(content_type: str, body: bytes) -> bool:
    """Whether it has no more fields, and no longer heads, than any form of ours."""
    if kind_of(content_type) != MULTIPART:
        return body.count(b"&") < MOST_FIELDS
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not 0 < len(boundary) <= LONGEST_BOUNDARY or body.count(b"--" + boundary) > MOST_FIELDS:
        return False
    return all(len(part.partition(b"\r\n\r\n")[0]) <= LONGEST_HEAD for part in body.split(b"--" + boundary))
