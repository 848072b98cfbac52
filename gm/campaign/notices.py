"""Notification mails of a campaign, from templates/campaign/*.txt: first line the subject, then the text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import cache

from jinja2 import Environment

from gm.adjudicator.solitaire.victory import LAST_TURN
from gm.board.model import Board
from gm.campaign.options import FIXED, CampaignOptions, describe
from gm.campaign.schedule import local
from gm.wording import environment, fill, joined, prose, subject_and_text, word_list


@cache
def text_environment(folder: str) -> Environment:
    """Plain text for mails; `local` is a moment on the clock of its reader, `day` a date, `listed` is `A, B and C`,
    `listed_or` `A, B or C`;
    `fill` breaks one paragraph into lines, `prose` several."""
    made = environment(folder, html=False)
    made.filters |= {"fill": fill, "prose": prose}
    made.filters["listed"] = listed
    made.filters["listed_or"] = lambda words: joined(words, "or")
    made.filters["with_reasons"] = _with_reasons
    made.filters["day"] = lambda day: f"{day.day} {day:%B %Y}" if isinstance(day, date) else ""
    made.filters["local"] = lambda moment, zone: local(moment, zone) if isinstance(moment, datetime) else ""
    return made


def listed(words: Iterable[str]) -> str:
    """`A, B and C`."""
    return joined(words, "and")


def _with_reasons(unawaited: Iterable[tuple[str, str]]) -> str:
    """Who is not waited for, each with why."""
    words = word_list("campaign/unawaited")
    return listed(words[why].format(name=name) for name, why in unawaited)


def explain(options: CampaignOptions, board: Board, *, dealt: bool = False) -> tuple[str, ...]:
    """Every option of a campaign in a sentence, as its players are told; `dealt`: what is past is left out."""
    past = ("pregame_days", "auto_deal", "deal") if dealt else ()
    return _sentences(options, [(name, value) for name, value in _that_matter(options) if name not in past], board)


def rules_alone(board: Board, *, contested: bool) -> tuple[str, ...]:
    """What the game for one person goes by. `contested`: with the option of S20."""
    words = word_list("campaign/options")
    keys = ("alone", "alone_red", "alone_contested" if contested else "alone_white", "alone_last")
    return (*(words[key].format(turns=LAST_TURN) for key in keys), _board(board))


def house_rules(options: CampaignOptions, board: Board) -> tuple[str, ...]:
    """What the game itself depends on, and is settled with the deal."""
    return _sentences(options, [(name, value) for name, value in _that_matter(options) if name in FIXED], board)


def _that_matter(options: CampaignOptions) -> list[tuple[str, str]]:
    """The options that have an effect, as (name, value): not those that another option makes void."""
    idle: set[str] = set()
    if options.deadlines:
        idle.add("deadlines")  # when they fall says that there are some
    else:
        idle |= {"pregame_days", "first_days", "second_days", "hour", "min_hours", "skip_days", "grace_hours"}
        idle |= {"reminders", "early_close"}
    if not options.deadlines or not options.early_close:
        idle |= {"ready", "early_close_hours", "early_delay_minutes"}
    if not options.early_delay_minutes:
        idle.add("early_delay_minutes")
    if options.publish != "draft":
        idle.add("draft_hours")
    if options.victory != "key-areas":
        idle.add("key_areas")
    return [(name, value) for name, value in describe(options) if name not in idle]


def _sentences(options: CampaignOptions, chosen: Iterable[tuple[str, str]], board: Board) -> tuple[str, ...]:
    words = word_list("campaign/options")
    alone = {} if options.early_close_hours else {"early_delay_minutes": "early_delay_alone"}
    found = ((words.get(f"{name}-{value}"), words.get(alone.get(name, name), ""), value) for name, value in chosen)
    facts = {"span": _span(options.early_close_hours, options.early_delay_minutes)}
    told = (
        always.format(value=listed(value.split(", ")), **facts) if exact is None else exact
        for exact, always, value in found
    )
    return (*told, _board(board))


def _board(board: Board) -> str:
    return word_list("campaign/options")["pack" if board.pack else "no_pack"].format(
        value=board.pack, digest=board.digest
    )


def _span(hours: int, minutes: int) -> str:
    """`12 hours and 10 minutes`."""
    words = word_list("campaign/options")
    parts = [words["span_hour" if hours == 1 else "span_hours"]] if hours else []
    parts += [words["span_minute" if minutes == 1 else "span_minutes"]] if minutes else []
    return listed(parts).format(hours=hours, minutes=minutes)


def render_notice(template: str, **data: object) -> tuple[str, str]:
    """Subject and text of a mail."""
    return subject_and_text(text_environment("campaign").get_template(f"{template}.txt").render(**data))
