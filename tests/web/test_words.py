"""Every word that a page says after a form stands in templates/web/words.toml, and none stands there for nothing."""

from __future__ import annotations

import re
from pathlib import Path

import gm.web.routes
from gm.web.words import _pack

ROUTES = Path(gm.web.routes.__file__).parent
_CALL = re.compile(r"(?:\bback|_back|_done)\(\s*request,[^)]*?\)?[^)]*\)", re.DOTALL)


def test_what_the_routes_say_is_worded_and_all_wordings_are_used() -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted(ROUTES.glob("*.py")))
    named = set(re.findall(r'"([a-z0-9-]+)"', "\n".join(_CALL.findall(source))))
    done = set(_pack()["done"])
    assert done <= named, sorted(done - named)
    asked = set(re.findall(r'say\("confirm\.([a-z0-9-]+)"\)', source))
    assert asked == set(_pack()["confirm"])
