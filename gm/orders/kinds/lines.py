"""Line layout of orders: when a line continues in the next, and what ends a PRESS."""

from __future__ import annotations

import re

PRESS_END = re.compile(r"\s*+END\s*+[.!]?\s*+", re.IGNORECASE)


def goes_on(content: str) -> bool:
    """Whether a line is unfinished: it ends in a comma or a backslash, or leaves a bracket open."""
    return content[-1:] in (",", "\\") or content.count("(") > content.count(")")
