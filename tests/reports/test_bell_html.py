"""The Bell as mail and as a page: well-formed, within bounds, readable by everybody, deaf to what people inject."""

import json
import re
from dataclasses import replace
from functools import cache
from html import escape

import css_inline
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from gm.board.load import standard_board
from gm.reports.build import build_view, for_reader, issue_map
from gm.reports.issue import Colophon, Decision, Editorial, PlayerInfo, PressItem, Reader, SeatNews, StoryEdit
from gm.reports.map import render_svg
from gm.reports.render.barometer_chart import barometer_svg
from gm.reports.render.html import (
    CHART_CID,
    DETAIL_CID,
    MAP_CID,
    Links,
    environment,
    mail_context,
    mail_css,
    page_css,
    render_json,
    render_mail,
    render_mail_html,
    render_page,
    template_file,
)
from gm.reports.render.json import read_json, schema
from gm.reports.view.model import BellView
from tests.reports.golden_files import golden, read
from tests.reports.pages import contrast, problems, read_page
from tests.reports.sample import issues, views
from tests.support import examples

BOARD = standard_board()
GMAIL_CLIPS_AT = 102 * 1024
NUMBERS = [0, 1, 2, 3]
FILES = [name for name in golden() if name.endswith((".html", ".json"))]
HOSTILE = [
    "<script>alert(1)</script>",
    "</p></article></main>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7*7 }}{% raw %}",
    "&lt;b&gt; &amp; &#60;",
    "<!--",
    "]]>",
    "javascript:alert(1)",
    "\u202egnikcatta",
    "{leader} {0} {}",
]


@cache
def own_copy(number: int, player: str = "B") -> BellView:
    return for_reader(BOARD, issues()[number], views()[number], Reader(player))


@cache
def page(number: int) -> str:
    view = views()[number]
    svg = render_svg(issue_map(issues()[number]), theme="auto", embed_style=False)
    return render_page(view, svg, barometer_svg(view.course, theme="auto"), Links(home="index.html", map="map.svg"))


@pytest.mark.parametrize("name", FILES)
def test_the_sample_game_looks_as_in_its_golden_file(name: str) -> None:
    assert golden()[name] == read(name)


# --- mail


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mail_stays_below_the_size_at_which_readers_clip_it(number: int) -> None:
    assert len(render_mail_html(own_copy(number)).encode()) < GMAIL_CLIPS_AT


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//evil.example", 'https://x"onclick='])
def test_only_a_web_address_becomes_a_link(address: str) -> None:
    view = build_view(BOARD, replace(issues()[3], colophon=Colophon(archive=address)))
    assert not any(item.link for item in view.colophon)


def test_even_the_fullest_mail_stays_below_that_size() -> None:
    """Six players' worth of orders, long press, every order annotated."""
    view = own_copy(3, "A")
    assert view.own is not None
    more = tuple(replace(o, reasons=o.reasons or (view.attacks and view.rulings)) for o in view.own.orders)
    full = replace(
        view,
        orders=(*views()[2].orders, view.orders[0]),
        own=replace(view.own, orders=more * 3),
        press=view.press * 20,
    )
    assert len(render_mail_html(full).encode()) < GMAIL_CLIPS_AT


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mail_runs_nothing_and_loads_nothing(number: int) -> None:
    found = read_page(render_mail_html(own_copy(number)))
    assert not found.all("script", "link", "iframe", "object", "form", "input", "svg")
    sources = {t.attrs[key] for t in found.tags for key in ("src", "background") if key in t.attrs}
    assert sources <= {f"cid:{MAP_CID}", f"cid:{CHART_CID}", f"cid:{DETAIL_CID}"}
    assert {t.attrs["href"] for t in found.all("a")} == {
        "https://bell.example.org/sample-1976/",
        "https://bell.example.org/sample-1976/check",
    }
    assert not any(key.startswith("on") for t in found.tags for key in t.attrs)
    assert "url(" not in mail_css() + template_file("mail-keep.css")
    assert "@import" not in mail_css() + template_file("mail-keep.css")


def test_the_chart_of_a_mail_says_since_which_issue_it_shows() -> None:
    """The chart begins with the first issue that was printed here, and a game that was taken over has earlier ones."""
    view = views()[3]
    three = replace(view.course, issues=view.course.issues[1:])
    for course, said in (
        (view.course, "how the scores moved since #1;"),
        (three, "how the scores moved since #2;"),
        (replace(three, issues=three.issues[-1:]), "Chart of the scores;"),
    ):
        (alt,) = re.findall(rf'src="cid:{CHART_CID}" alt="([^"]*)"', render_mail_html(replace(view, course=course)))
        assert said in alt


@pytest.mark.parametrize("number", NUMBERS)
def test_a_mail_is_well_formed_and_accessible(number: int) -> None:
    assert problems(render_mail_html(own_copy(number))) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_styles_are_inlined_exactly_as_css_inline_does_it(number: int) -> None:
    """Ours are put into the template once; css-inline works on the whole document."""
    context = {**mail_context(own_copy(number)), "css": mail_css()}
    plain = environment().get_template("mail.html").render(context)
    whole = css_inline.CSSInliner(load_remote_stylesheets=False).inline(plain)
    ours = render_mail_html(own_copy(number))
    theirs = [(e.tag, dict(e.attrib), (e.text or "").strip()) for e in lxml_html.fromstring(whole).iter()]
    mine = [(e.tag, dict(e.attrib), (e.text or "").strip()) for e in lxml_html.fromstring(ours).iter()]
    theirs = [entry for entry in theirs if entry[0] != "style"]
    assert theirs == [entry for entry in mine if entry[0] != "style"]
    assert sum("style" in attributes for _, attributes, _ in mine) > 100


def test_the_sheet_of_mail_names_single_elements_only() -> None:
    """Otherwise a tag's style would depend on where it stands."""
    rules = re.sub(r"/\*.*?\*/", "", mail_css(), flags=re.DOTALL)
    for selectors in re.findall(r"([^{}]+)\{", rules):
        for selector in selectors.split(","):
            assert re.fullmatch(r"\s*(\.?[a-z0-9]+|[a-z0-9]+\.[a-z0-9]+)\s*", selector), selector


def test_a_mail_says_everything_with_pictures_off() -> None:
    view = own_copy(3)
    found = read_page(render_mail_html(view))
    assert {t.attrs["alt"] for t in found.all("img")} >= {view.own_alt}
    text = " ".join(found.text.split())
    for line in (line for h in view.positions.holdings for line in h.lines):
        assert f"{line.province} {line.stacks}" in text


def test_a_mail_opens_with_the_readers_own_news_and_is_laid_out_in_tables() -> None:
    html = render_mail_html(own_copy(3))
    body = html[html.index("<body") :]
    assert escape(own_copy(3).yours[0].text) in body[: body.index("</div>")], "the preheader"
    assert body.index('id="own"') < body.index("<h1")
    assert re.search(r"<!--\[if mso\]><TABLE[^>]* width=\"700\"", body)
    assert "::before" not in html, "some mail programs for telephones drop it"
    assert body.count('<span class="lb"') >= 6 * len(own_copy(3).attacks)
    plain = render_mail_html(views()[3])
    assert 'id="own"' not in plain and DETAIL_CID not in plain


def test_a_tap_on_a_players_map_opens_the_desk() -> None:
    found = read_page(render_mail_html(replace(own_copy(3), desk="https://bell.example.org/c/sample/desk")))
    assert sum(t.attrs["href"].endswith("/desk") for t in found.all("a")) == 3


def test_the_parts_of_a_mail_fit_together() -> None:
    mail = render_mail(issues()[3], own_copy(3))
    assert mail.subject == f"{views()[3].story.headline} (The Bell #4, The Sample Game of 1976)"
    assert mail.pictures == (MAP_CID, CHART_CID, DETAIL_CID)
    assert all(f"cid:{cid}" in mail.html for cid in mail.pictures)
    assert mail.calendar is not None
    assert "\n" not in mail.subject


# --- page


@pytest.mark.parametrize("number", NUMBERS)
def test_a_page_is_well_formed_and_accessible(number: int) -> None:
    assert problems(page(number)) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_a_page_brings_no_script_and_no_style_of_its_own_outside_the_chart(number: int) -> None:
    found = read_page(page(number))
    assert not found.all("script")
    assert not any("style" in t.attrs for t in found.tags)
    assert all("svg" in t.parents for t in found.all("style"))


def test_every_table_has_headers_for_its_columns_and_rows() -> None:
    found = read_page(page(3))
    heads = [t.attrs["scope"] for t in found.all("th")]
    assert heads.count("col") == 14 + len(views()[3].relations)
    assert heads.count("row") == len(views()[3].attacks) + len(views()[3].barometer) + len(views()[3].relations)


def test_all_parts_of_the_paper_are_on_the_page_under_their_headings() -> None:
    ids = {t.attrs.get("id") for t in read_page(page(3)).tags}
    assert ids >= {
        "news", "map", "positions", "trades", "attacks", "purges", "randomizer", "replacements", "events",
        "rulings", "barometer", "press", "orders", "fairness", "colophon", "briefs", "obituaries",
    }  # fmt: skip


def _variables(css: str, dark: bool) -> dict[str, str]:
    light, _, rest = css.partition("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", light))
    return found | dict(re.findall(r"--(\w+): (#[0-9a-f]+)", rest.partition("}")[0])) if dark else found


@pytest.mark.parametrize("dark", [False, True])
def test_colours_of_the_page_have_the_contrast_that_wcag_aa_asks_for(dark: bool) -> None:
    colors = _variables(template_file("page.css"), dark)
    for ink in ("ink", "soft", "accent"):
        for paper in ("paper", "panel", "desk"):
            if (ink, paper) != ("soft", "desk"):  # never meet
                assert contrast(colors[ink], colors[paper]) >= 4.5, (ink, paper)


def test_colours_of_the_mail_have_the_contrast_that_wcag_aa_asks_for() -> None:
    light, dark = mail_css(), template_file("mail-keep.css").partition("prefers-color-scheme: dark")[2]
    for css, papers in ((light, ("#faf6ec", "#f0e8d6")), (dark, ("#191714", "#24211c"))):
        inks = set(re.findall(r"[ {;]color: (#[0-9a-f]{6})", css)) - set(papers)
        assert inks
        for ink in inks:
            for paper in papers:
                assert contrast(ink, paper) >= 4.5, (ink, paper)


def test_the_page_prints_on_a4_in_two_columns() -> None:
    printed = page_css().partition("@media print")[2]
    assert "size: A4" in printed
    assert re.search(r"\.report, \.press \{ columns: 2", printed)


# --- what people write


def paper_with(text: str) -> BellView:
    told = build_view(BOARD, issues()[3])
    edits = {story.key: StoryEdit("x" + text, "x" + text) for story in (*told.stories, *told.briefs)}
    evil = replace(
        issues()[3],
        campaign=text,
        paper=text,
        players={p: PlayerInfo(text) for p in "ABCDE"},
        press=(PressItem(text, "A", text), PressItem("x" + text, None, None)),
        editorial=Editorial("x" + text, "x" + text, "x" + text, column="x" + text, stories=edits),
        decisions=(Decision(text, text, (text,)),),
        errata=("x" + text,),
        colophon=Colophon(
            gamesmaster=text,
            archive=text,
            desk=text,
            standbys=(text,),
            seats=(SeatNews("replaced", "A", text),),
            notices=(text,),
        ),
    )
    return build_view(BOARD, evil)


hostile = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30)), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=examples(200, 40))
@given(text=hostile)
def test_nothing_that_people_write_reaches_the_html_unescaped(text: str) -> None:
    text = text.replace("\n", " ")
    view, harmless = paper_with(text), paper_with("harmless words")
    for render in (render_mail_html, lambda v: render_page(v, "", "")):
        ours, plain = read_page(render(view)), read_page(render(harmless))
        assert ours.problems == []
        # The press may lose a piece that is nothing but control characters; tags of no other kind may come or go.
        assert {t.name for t in ours.tags} == {t.name for t in plain.tags}
        assert {key for t in ours.tags for key in t.attrs} <= {key for t in plain.tags for key in t.attrs}
        assert not any(value.strip().lower().startswith("javascript") for t in ours.tags for value in t.attrs.values())
    if view.press and len(view.press) == len(harmless.press):
        assert read_page(render_mail_html(view)).shape() == read_page(render_mail_html(harmless)).shape()


@given(text=hostile)
@settings(max_examples=examples(100, 30))
def test_what_people_write_is_printed_as_they_wrote_it(text: str) -> None:
    view = paper_with(text)
    words = " ".join(read_page(render_mail_html(view)).text.split())
    for piece in view.press:
        assert " ".join(piece.text.split()) in words


@pytest.mark.parametrize("text", HOSTILE)
def test_names_cannot_break_out_of_the_drawn_map_and_chart(text: str) -> None:
    evil = replace(issues()[3], paper=text, players={p: PlayerInfo(text) for p in "ABCDE"})
    view = build_view(BOARD, evil)
    drawn = render_svg(issue_map(evil), theme="auto", embed_style=False)
    html = render_page(view, drawn, barometer_svg(view.course, theme="auto"))
    ours, plain = read_page(html), read_page(page(3))
    assert ours.problems == []
    assert {t.name for t in ours.tags} <= {t.name for t in plain.tags} | {"nav"}
    assert not any(key.startswith("on") for t in ours.tags for key in t.attrs)


# --- JSON


@pytest.mark.parametrize("number", NUMBERS)
def test_the_json_is_as_its_schema_says_and_reads_back_as_the_same_view(number: int) -> None:
    data = json.loads(render_json(issues()[number], own_copy(number)))
    jsonschema_rs.validator_for(schema()).validate(data)
    printed = read_json(BOARD, data)
    public = views()[number]
    assert replace(printed.view, colophon=public.colophon) == public  # a copy's colophon speaks to its reader
    assert printed.map == issue_map(issues()[number])
    assert printed.position == issues()[number].outcome.after


def test_the_schema_describes_every_field() -> None:
    """A field that the schema does not know is one that nobody documented."""

    def undescribed(value: object, rule: dict[str, object], where: str) -> list[str]:
        while "$ref" in rule:
            rule = schema()["$defs"][str(rule["$ref"]).rpartition("/")[2]]
        if "anyOf" in rule:
            rule = next((r for r in rule["anyOf"] if "$ref" in r), rule)  # type: ignore[attr-defined]
            return undescribed(value, rule, where) if value is not None and "$ref" in rule else []
        if isinstance(value, list):
            inner = rule.get("items", {})
            return [p for v in value for p in undescribed(v, inner, where)]  # type: ignore[arg-type]
        if isinstance(value, dict):
            known = rule.get("properties", {})
            other = rule.get("additionalProperties")
            found = []
            for key, v in value.items():
                if key in known:  # type: ignore[operator]
                    found += undescribed(v, known[key], f"{where}.{key}")  # type: ignore[index]
                elif isinstance(other, dict):
                    found += undescribed(v, other, f"{where}.*")
                elif where != "$.position":
                    found.append(f"{where}.{key}")
            return found
        return []

    data = json.loads(render_json(issues()[3], views()[3]))
    assert undescribed(data, dict(schema()), "$") == []


def test_the_json_never_holds_what_only_one_reader_may_see() -> None:
    data = json.loads(render_json(issues()[2], own_copy(2)))
    assert "own" not in data["bell"]
    assert "Bonch-B." not in json.dumps(data["bell"]["orders"])


def test_json_of_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="bell/99"):
        read_json(BOARD, {"schema": "bell/99"})
