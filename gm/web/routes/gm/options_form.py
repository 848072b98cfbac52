"""The fields of a campaign's options that the form for a new campaign and the one for changing them share."""

from __future__ import annotations

from pydantic import BaseModel

from gm.web.guard.forms import Days, Line, Tick


class OptionsForm(BaseModel):
    pregame_days: Days
    first_days: Days
    second_days: Days
    hour: Line
    zone: Line
    publish: Line
    early_close: Tick = False
    beacon: Tick = False
    public: Tick = False
    anonymous_letters: Tick = False
