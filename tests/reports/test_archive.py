"""The archive: a folder that opens from a disk, with nothing missing and nothing loaded from elsewhere."""

import json
import re
from functools import cache
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import jsonschema_rs
import pytest

from gm.board.load import standard_board
from gm.notation import read_position
from gm.reports.render.html import render_json
from gm.reports.render.json import schema
from gm.reports.render.text import listing, render_text
from gm.reports.site import Archived, site
from tests.reports.pages import problems, read_page
from tests.reports.sample import issues, outcomes, views

ATOM = "{http://www.w3.org/2005/Atom}"
CAMPAIGN = "The Sample <Game> & of 1976"


@cache
def archived() -> tuple[Archived, ...]:
    found = [
        Archived(issue.number, view.story.headline, render_text(view), json.loads(render_json(issue, view)))
        for issue, view in zip(issues(), views(), strict=True)
    ]
    plain = Archived(5, "July 1918", "The Bell #5\n<nothing> more\n", {"number": 5, "position": {}})
    return (*found, plain)


@cache
def files() -> dict[str, bytes]:
    return site(standard_board(), CAMPAIGN, archived(), base="https://bell.example.org/")


def pages() -> list[str]:
    return [path for path in files() if path.endswith(".html")]


def test_every_issue_is_there_as_page_text_and_json() -> None:
    for number in range(1, 6):
        assert {f"bells/{number:03d}.{kind}" for kind in ("html", "txt", "json")} <= set(files())
    assert {"index.html", "map.html", "feed.xml", "style.css", "archive.js"} <= set(files())


@pytest.mark.parametrize("path", [p for p in files() if p.endswith(".html")])
def test_every_page_is_well_formed_and_accessible(path: str) -> None:
    assert problems(files()[path].decode()) == []


def test_every_link_leads_to_a_file_of_the_archive() -> None:
    for path in pages():
        for tag in read_page(files()[path].decode()).tags:
            for key in ("href", "src"):
                if key not in tag.attrs:
                    continue
                link = urlsplit(tag.attrs[key])
                if tag.name == "a" and tag.attrs[key].startswith("https://bell.example.org/sample-1976/"):
                    continue  # what the issue itself names: the service and its page for checking
                assert not link.scheme and not link.netloc, f"{path} leaves the archive: {tag.attrs[key]}"
                if link.path:
                    target = normpath(join(dirname(path), unquote(link.path)))
                    assert target in files(), f"{path}: {tag.attrs[key]}"


def test_the_style_sheet_finds_its_fonts_in_the_archive() -> None:
    wanted = set(re.findall(r'url\("?([^")]+)', files()["style.css"].decode()))
    assert wanted
    assert wanted <= set(files())
    assert any(path.endswith("OFL.txt") for path in files()), "the fonts travel with their licence"


def test_a_campaigns_name_is_escaped_wherever_it_stands() -> None:
    for path in ("index.html", "map.html", "feed.xml"):
        assert b"<Game>" not in files()[path]
        assert b"&lt;Game&gt; &amp;" in files()[path]


def test_the_feed_is_atom_with_an_entry_for_every_issue() -> None:
    feed = ElementTree.fromstring(files()["feed.xml"])
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 5
    for element in (feed, *entries):
        for part in ("id", "title", "updated"):
            assert element.findtext(f"{ATOM}{part}"), part
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", element.findtext(f"{ATOM}updated") or "")
    identities = [e.findtext(f"{ATOM}id") for e in entries]
    assert len(set(identities)) == 5
    link = entries[1].find(f"{ATOM}link")
    assert link is not None and link.attrib["href"] == "bells/004.html"


def test_the_slider_has_the_map_of_every_phase() -> None:
    page = read_page(files()["map.html"].decode())
    shown = [t.attrs["src"] for t in page.all("img")]
    assert shown == [f"maps/{n:03d}.svg" for n in (1, 2, 3, 4)]
    assert [t.attrs["max"] for t in page.all("input") if t.attrs["type"] == "range"] == ["5"]
    for path in shown:
        assert ElementTree.fromstring(files()[path]).tag.endswith("svg")


def test_positions_can_be_rebuilt_from_the_archive_alone() -> None:
    for number, outcome in enumerate(outcomes(), start=1):
        text = files()[f"bells/{number:03d}.txt"].decode()
        assert read_position(standard_board(), listing(text), outcome.after.players) == outcome.after
        jsonschema_rs.validator_for(schema()).validate(json.loads(files()[f"bells/{number:03d}.json"]))


def test_an_issue_of_bare_facts_has_a_page_as_well() -> None:
    page = read_page(files()["bells/005.html"].decode())
    assert "<nothing> more" in page.text


def test_an_archive_without_issues_is_still_an_archive() -> None:
    empty = site(standard_board(), "Empty", ())
    assert problems(empty["index.html"].decode()) == []
    assert ElementTree.fromstring(empty["feed.xml"]).tag == f"{ATOM}feed"


def test_the_same_issues_give_the_same_bytes() -> None:
    assert site(standard_board(), CAMPAIGN, archived(), base="https://bell.example.org/") == files()
