"""The last issue looks back on the whole war, and a book holds all issues."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import jsonschema_rs
import msgspec

from gm.adjudicator import outcome as o
from gm.position import Phase
from gm.reports.book import book
from gm.reports.build import build_view
from gm.reports.issue import Issue, LongMarch, Past
from gm.reports.render.html import render_json, render_mail_html, render_page
from gm.reports.render.json import read_json, schema
from gm.reports.render.text import render_text
from gm.reports.site import Archived
from gm.reports.view.map import barometer_rows
from gm.reports.view.model import BellView
from tests.reports.campaigns import BOARD, sensible
from tests.reports.pages import problems, read_page


@cache
def last() -> tuple[Issue, BellView]:
    """The issue after the last Phase, which announces the end."""
    issues = sensible(0)
    issue, view = issues[-1]
    after = issue.outcome.after
    assert after.phase is Phase.FINISHED
    won = tuple(e for e in issue.outcome.events if isinstance(e, o.Won))
    past = (*issue.past, Past(issue.number, barometer_rows(after, issue.outcome.points), view.wordings, view.record))
    album = tuple((v.masthead.game_date, i.outcome.after) for i, v in (issues[3], issues[6], issues[9], issues[-1]))
    end = o.Outcome(after, after, won, (), (), issue.outcome.points)
    final = replace(issue, number=issue.number + 1, outcome=end, past=past, album=album)
    return final, build_view(BOARD, final)


def test_the_last_issue_tells_standings_with_margins_and_the_reason_of_victory() -> None:
    _, view = last()
    assert view.standings[0].margin == 0
    assert all(s.margin == s.points - view.standings[0].points for s in view.standings)
    assert "victory (house rule H3)" in view.verdict and view.verdict.endswith(".")
    assert f"{view.standings[0].title} has won it, with {view.standings[0].points} points." in view.verdict
    assert "The last Game-Turn was over" in view.verdict or "was left on the map" in view.verdict


def test_the_roll_of_the_dead_is_that_of_the_war() -> None:
    final, view = last()
    assert view.closing is not None
    outcomes = [issue.outcome for issue, _ in sensible(0)]
    first = {p.name for s in outcomes[0].after.stacks for p in s.leaders}
    left = {p.name for s in final.outcome.after.stacks for p in s.leaders}
    dead = {d.name for past in final.past for d in past.record.dead}
    assert dead - {"Czar"} == first - left
    assert len(view.closing.dead) == len(dead)


def test_luck_is_counted_from_every_attack_of_the_war() -> None:
    _, view = last()
    assert view.closing is not None
    fights = [e for issue, _ in sensible(0) for e in issue.outcome.events if isinstance(e, o.Fought)]
    assert sum(line.attacks for line in view.closing.luck) == len(fights)
    won = [e for e in fights if e.result == "De" or (e.result == "Ex" and not e.subversion)]
    assert sum(line.won for line in view.closing.luck) == len(won)
    assert all(0 <= line.expected <= line.attacks for line in view.closing.luck)


def test_awards_count_leaders_and_marches_on_foot() -> None:
    final, view = last()
    assert view.closing is not None
    dead = Counter(d.owner for past in final.past for d in past.record.dead if d.cause != "executed" and d.owner)
    assert any(d.cause == "executed" for past in final.past for d in past.record.dead), "the Czar is no Leader"
    ribbon = [a.text for a in view.closing.awards if a.kind == "bereaved"]
    assert all(f"buried {max(dead.values())} Leaders" in text for text in ribbon)
    walked = {e.path for i, _ in sensible(0) for e in i.outcome.events if isinstance(e, o.Moved) and not e.by_rail}
    marches = [past.record.march for past in final.past if past.record.march]
    assert marches and all(march.path in walked for march in marches)


def test_a_war_without_deeds_says_so_and_honours_no_step_next_door() -> None:
    final, _ = last()
    quiet = tuple(
        replace(past, record=replace(past.record, dead=(), clashes=(), purges=(), luck={}, march=_next_door(past)))
        for past in final.past
    )
    view = build_view(BOARD, replace(final, past=quiet))
    assert view.closing is not None and view.closing.awards == () and view.closing.luck == ()
    for words in (render_text(view), read_page(render_page(view, "", "")).text):
        said = " ".join(words.split())
        assert "nobody did more of anything" in said and "Nobody attacked in this war" in said


def _next_door(past: Past) -> LongMarch | None:
    march = past.record.march
    return replace(march, path=march.path[:2], alike=0) if march else None


def test_it_has_months_awards_a_farewell_and_four_maps_in_every_edition() -> None:
    final, view = last()
    closing = view.closing
    assert closing is not None
    assert [m.number for m in closing.months] == [past.number for past in final.past]
    assert len(closing.awards) >= 3 and len(closing.maps) == 4
    text = " ".join(render_text(view).split())
    mail, page = read_page(render_mail_html(view)), render_page(view, "", "", album=["<svg></svg>"] * 4)
    assert problems(render_mail_html(view)) == []
    for sentence in (closing.farewell, *(a.text for a in closing.awards), *closing.dead, closing.months[0].headline):
        assert sentence in text
        assert sentence in " ".join(mail.text.split())
    assert page.count("<figcaption>") == 4
    data = json.loads(render_json(final, view))
    jsonschema_rs.validator_for(schema()).validate(data)
    printed = read_json(BOARD, data)
    assert printed.view == view
    assert [drawn.date_line for drawn in printed.album] == list(closing.maps)


def test_an_issue_in_the_middle_of_the_war_has_no_farewell() -> None:
    assert all(view.closing is None for _, view in sensible(0))


def test_a_book_has_every_issue_once_and_a_table_of_contents_that_leads_to_it() -> None:
    found = [*sensible(0)[:4], last()]
    issues = [Archived(i.number, v.story.headline, render_text(v), json.loads(render_json(i, v))) for i, v in found]
    issues.append(Archived(99, "Bare facts", "PETR: RL3 Lenin <>", {"number": 99}))
    html = book(BOARD, "A War & its End", issues)
    page = read_page(html)
    assert page.problems == []
    ids = [t.attrs["id"] for t in page.tags if "id" in t.attrs]
    assert len(ids) == len(set(ids))
    links = [t.attrs["href"] for t in page.all("a") if t.attrs["href"].startswith("#")]
    assert links == [f"#issue-{issue.number}" for issue in issues]
    assert {link[1:] for link in links} <= set(ids)
    assert "<script" not in html
    assert page.all("nav")[0].attrs["class"] == "chapters", "the archive's list of contents has columns of its own"


def test_issues_stored_before_there_were_facts_and_records_are_still_read() -> None:
    issue, view = sensible(0)[4]
    data = json.loads(render_json(issue, view))
    for key in ("record", "closing"):
        del data["bell"][key]
    for story in (data["bell"]["story"], *data["bell"]["stories"], *data["bell"]["briefs"]):
        del story["facts"], story["key"]
    for obituary in data["bell"]["obituaries"]:
        del obituary["wording"]
    printed = read_json(BOARD, data)
    assert printed.view.story.headline == view.story.headline
    assert msgspec.to_builtins(printed.view.record)["dead"] == ()
    assert render_page(printed.view, "", "")
