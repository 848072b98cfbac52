"""Every word that a page says after a form stands in templates/web/words.toml, and none stands there for nothing."""

from __future__ import annotations

import re
from pathlib import Path

import gm.web.routes
from gm.wording import word_list

ROUTES = Path(gm.web.routes.__file__).parent
_CALL = re.compile(r"(?:\bback|\btell|_back|_done)\(\s*request,[^)]*?\)?[^)]*\)", re.DOTALL)


def test_what_the_routes_say_is_worded_and_all_wordings_are_used() -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted(ROUTES.rglob("*.py")))
    named = set(re.findall(r'"([a-z0-9-]+)"', "\n".join(_CALL.findall(source))))
    done = set(word_list("web/words")["done"])
    assert done <= named, sorted(done - named)
    asked = set(re.findall(r'say\("confirm\.([a-z0-9-]+)"', source))
    for what in re.findall(r'_confirm\(request, room, "([a-z]+)"', source):  # a page with four wordings
        asked |= {what, f"{what}-1", f"{what}-2", f"{what}-yes"}
    assert asked == set(word_list("web/words")["confirm"])
