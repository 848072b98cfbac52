"""Colours and letters of the map. Each colour has a light and a dark reading; the sheet is written for one or both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

Theme = Literal["light", "dark", "auto"]

REGIONS = (
    "Greater Russia",
    "White Russia",
    "Ukraine",
    "Cossack Territories",
    "Trans-Caucasus",
    "Baltic",
    "Siberia",
    "Finland",
    "Poland",
)


def tint(region: str) -> int:
    """The number of a region's colours; a region that only a Gamesmaster's pack has is drawn in those of the first."""
    return REGIONS.index(region) if region in REGIONS else 0


# name: (light, dark)
COLORS: Mapping[str, tuple[str, str]] = {
    "margin": ("#e6d9b9", "#1b1915"),
    "paper": ("#f4ebd6", "#25221d"),
    "plate": ("#fbf5e6", "#2d2923"),
    "ink": ("#2e2318", "#f0e4c8"),
    "soft": ("#6f5d3b", "#b5a684"),
    "water": ("#cfdfdd", "#15222a"),
    "wave": ("#9dbcc0", "#284653"),
    "seaname": ("#335d75", "#86aebd"),
    "river": ("#7aa5b2", "#3f7286"),
    "coast": ("#4b3a26", "#c2ab80"),
    "border": ("#6e5a3c", "#a8946c"),
    "halo": ("#f8f1de", "#1c1a16"),
    "rail": ("#3a2c1c", "#d8c69c"),
    "sleeper": ("#f4ebd6", "#2a2620"),
    "red": ("#a8261d", "#b3312a"),
    "redline": ("#5e0f0a", "#e0837a"),
    "white": ("#fffdf6", "#f6f0e0"),
    "whiteline": ("#2e2318", "#12100d"),
    "green": ("#2f6a3c", "#35703f"),
    "greenline": ("#12351b", "#86bd8b"),
    "blue": ("#234f86", "#2f62a0"),
    "blueline": ("#0e2748", "#8db6e4"),
    "imperial": ("#5a3576", "#6b4489"),
    "imperialline": ("#2e1542", "#b995d6"),
    "onwhite": ("#241a10", "#241a10"),
    "oncolor": ("#fff8e6", "#fff8e6"),
    "tab": ("#241a10", "#0c0a08"),
    "ontab": ("#fff3d0", "#fff3d0"),
    "mine": ("#f2b705", "#ffc928"),
    "onmine": ("#241a10", "#241a10"),
    "shadow": ("#2e2318", "#000000"),
    "mark": ("#fff8e6", "#fff3d6"),
    "onmark": ("#8c1410", "#8c1410"),
    "stop": ("#8c1410", "#a8261d"),
    "meant": ("#2e2318", "#f0e4c8"),
    "movered": ("#a8261d", "#ff7d6e"),
    "movewhite": ("#fffdf6", "#fff8e6"),
    "movegreen": ("#2f6a3c", "#7fce88"),
    "moveblue": ("#234f86", "#7db4f2"),
    "moveimperial": ("#5a3576", "#c79be8"),
    "movecase": ("#2e2318", "#0c0a08"),
}
# the land of each region: (light fill, light band, dark fill, dark band)
LAND: tuple[tuple[str, str, str, str], ...] = (
    ("#ecd9ab", "#bd8b3f", "#4b4231", "#a9813f"),
    ("#d3dcbb", "#7f9c5c", "#3c4634", "#7f9c5c"),
    ("#f3e29c", "#c8a120", "#544b28", "#c0a030"),
    ("#efc9a3", "#c5713a", "#553e2e", "#c0723e"),
    ("#cbd19d", "#848f3c", "#424628", "#98a24a"),
    ("#bfd6d2", "#5b938f", "#2f4746", "#5f9a96"),
    ("#ddd3be", "#96805c", "#423d34", "#8f7d5e"),
    ("#ced9e6", "#6f89ad", "#343f4e", "#7089ad"),
    ("#eecac5", "#bd6c68", "#523835", "#b56a66"),
)

SERIF = "'Old Standard TT','Old Standard',Georgia,'Times New Roman',serif"
NARROW = "'PT Sans Narrow','Arial Narrow','Liberation Sans Narrow','Roboto Condensed',sans-serif"

# `$name` is a colour of the palette.
RULES = """
.km-margin{fill:$margin}.km-paper{fill:$paper}.km-water{fill:$water}
.km-line{fill:none;stroke:$ink}.km-tick{fill:$ink}
.km-wave{fill:none;stroke:$wave;stroke-linejoin:round}.km-calm{fill:none;stroke:$water;stroke-linejoin:round}
.km-net{fill:none;stroke:$soft;stroke-opacity:.28;stroke-width:.7}
.km-river{fill:none;stroke:$river;stroke-width:1.1;stroke-linecap:round}
.km-lake{fill:$water;stroke:$river;stroke-width:.8}
.km-s0{fill-opacity:.55}.km-s1{fill-opacity:.78}.km-s2{fill-opacity:1}.km-s3{fill-opacity:.66}
.km-s4{fill-opacity:.9}.km-s5{fill-opacity:.45}
.km-band{fill:none;stroke-width:13;stroke-opacity:.3;stroke-linejoin:round}
.km-edge{fill:none;stroke-width:5;stroke-opacity:.45;stroke-linejoin:round}
.km-inner{fill:none;stroke:$border;stroke-width:.9;stroke-dasharray:5 2 1 2}
.km-outer{fill:none;stroke:$border;stroke-width:1.7}
.km-rim{fill:none;stroke:$coast;stroke-width:1.3;stroke-linejoin:round}
.km-shore{fill:none;stroke:$coast;stroke-width:.7;stroke-opacity:.7}
.km-peak{fill:none;stroke:$border;stroke-width:1;stroke-opacity:.6;stroke-linecap:round}
.km-rail{fill:none;stroke:$rail;stroke-width:3;stroke-opacity:.82}
.km-sleeper{fill:none;stroke:$sleeper;stroke-width:1.5;stroke-dasharray:5 5}
.km-city{fill:$ink;font:italic 400 12px SERIF;stroke:$halo;stroke-width:2.6;paint-order:stroke}
.km-town{fill:$plate;stroke:$ink;stroke-width:1.3}
.km-sea{fill:$seaname;font:italic 400 15px SERIF;letter-spacing:2.5px;text-anchor:middle}
.km-abroad{fill:$soft;font:italic 400 13px SERIF;letter-spacing:2px;text-anchor:middle}
.km-name{pointer-events:none;fill:$ink;font:700 14px SERIF;letter-spacing:.6px;paint-order:stroke}
.km-name,.km-compass{stroke:$halo;stroke-width:3.2;stroke-linejoin:round}
.km-compass{fill:$soft;font:700 11px SERIF;letter-spacing:2px;paint-order:stroke;text-anchor:middle}
.km-needle{fill:$soft}
.km-mid{text-anchor:middle}
.km-lead{fill:none;stroke:$ink;stroke-width:1;stroke-opacity:.75}
.km-leadend{fill:$ink;stroke:$halo;stroke-width:1}
.km-leadhalo{fill:none;stroke:$halo;stroke-width:3;stroke-opacity:.7}
.km-inset rect{stroke:$ink;stroke-width:2.4}
.km-lead.km-strong{stroke-width:2.6;stroke-opacity:1}.km-leadhalo.km-strong{stroke-width:6;stroke-opacity:.9}
.km-moscow{fill:$meant;stroke:$halo;stroke-width:1.2;paint-order:stroke}
.km-plate{fill:$plate;stroke:$ink;stroke-width:1}
.km-plateline{fill:none;stroke:$ink;stroke-width:.6}
.km-h1{fill:$ink;font:700 30px SERIF;letter-spacing:3px;text-anchor:middle}
.km-h1b{font-size:22px}.km-h1c{font-size:16px}
.km-h2{fill:$ink;font:italic 400 17px SERIF;text-anchor:middle}
.km-h3{fill:$ink;font:700 12.5px SERIF;letter-spacing:1px}
.km-key{fill:$ink;font:700 12px NARROW}
.km-note{fill:$ink;font:italic 400 12px SERIF}
.km-num{font:700 17.5px NARROW}
.km-who{font:700 12px NARROW}
.km-sub{font:700 11.5px NARROW}
.km-tag{font:700 12px NARROW;text-anchor:middle}
.km-own{font:700 14px NARROW;text-anchor:middle;fill:$ontab}
.km-tab{fill:$tab}.km-pip{fill:$ontab}
.km-under{fill:$shadow;fill-opacity:.3}
.km-red{fill:$red;stroke:$redline}.km-white{fill:$white;stroke:$whiteline}.km-green{fill:$green;stroke:$greenline}
.km-blue{fill:$blue;stroke:$blueline}.km-imperial{fill:$imperial;stroke:$imperialline}
.km-on{fill:$oncolor}.km-onwhite{fill:$onwhite}
.km-badge{fill:$oncolor}.km-badgewhite{fill:$onwhite}
.km-inred{fill:$red}.km-inwhite{fill:$white}.km-ingreen{fill:$green}.km-inblue{fill:$blue}.km-inimperial{fill:$imperial}
.km-mine{fill:none;stroke:$mine;stroke-width:2.6}.km-minetab{fill:$mine}.km-onmine{fill:$onmine}
.km-mark{fill:$mark;stroke:$onmark;stroke-width:1.4}
.km-sign{fill:none;stroke:$onmark;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}.km-solid{fill:$onmark}
.km-case{fill:none;stroke:$movecase;stroke-linejoin:round;stroke-linecap:round;stroke-opacity:.85}
.km-mred{stroke:$movered;fill:none}.km-mwhite{stroke:$movewhite;fill:none}.km-mgreen{stroke:$movegreen;fill:none}
.km-mblue{stroke:$moveblue;fill:none}.km-mimperial{stroke:$moveimperial;fill:none}
.km-hred{fill:$movered}.km-hwhite{fill:$movewhite}.km-hgreen{fill:$movegreen}.km-hblue{fill:$moveblue}
.km-himperial{fill:$moveimperial}.km-head{stroke:$movecase;stroke-width:1.2;stroke-linejoin:round}
.km-meant{fill:none;stroke:$meant;stroke-width:3.4;stroke-dasharray:.1 7;stroke-linecap:round}
.km-stop{stroke:$stop;stroke-width:2.6;stroke-linecap:round;fill:none}
.km-stopdisc{fill:$mark;stroke:$stop;stroke-width:1.6}
"""


# What is written or drawn on what, on counters and beside them.
ON_COUNTERS = (
    ("red", "oncolor"),
    ("green", "oncolor"),
    ("blue", "oncolor"),
    ("imperial", "oncolor"),
    ("white", "onwhite"),
    ("halo", "ink"),
    ("tab", "ontab"),
    ("mine", "onmine"),
    ("red", "mine"),
    ("white", "mine"),
    ("mark", "onmark"),
)
LINES = ("redline", "greenline", "blueline", "imperialline", "stop", "movecase")


def counter_colors(steps: int = 4) -> tuple[tuple[int, int, int], ...]:
    """The light colours of counters, lines and marks, and those between a ground and what is written on it."""
    light = {name: _rgb(_palette(0)[name]) for name in COLORS}
    found = [light[name] for name in LINES]
    for ground, ink in ON_COUNTERS:
        for n in range(steps + 1):
            red, green, blue = (round(a + (b - a) * n / steps) for a, b in zip(light[ground], light[ink], strict=True))
            found.append((red, green, blue))
    return tuple(dict.fromkeys(found))


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def font_faces(folder: str) -> str:
    """Rules that give a page the map's own letters, from wherever it serves `gm/reports/data/fonts`."""
    faces = (
        ("Old Standard TT", "OldStandard-Bold", "normal", 700),
        ("Old Standard TT", "OldStandard-Italic", "italic", 400),
    )
    return "".join(
        f"@font-face{{font-family:'{family}';font-style:{slope};font-weight:{weight};font-display:swap;"
        f"src:url('{folder}/{file}.ttf') format('truetype')}}"
        for family, file, slope, weight in (*faces, ("PT Sans Narrow", "PTSansNarrow-Bold", "normal", 700))
    )


@cache
def stylesheet(theme: Theme = "light") -> str:
    """The style sheet of the map."""
    return themed(RULES + _land_rules(), theme)


def themed(rules: str, theme: Theme) -> str:
    """Rules with their colours filled in; `auto` follows the reader's system, or `data-theme` on an element around."""
    rules = rules.replace("SERIF", SERIF).replace("NARROW", NARROW)
    names = sorted(_palette(0), key=len, reverse=True)
    for name in names:
        value = f"var(--km-{name})" if theme == "auto" else _palette(("light", "dark").index(theme))[name]
        rules = rules.replace(f"${name}", value)
    rules = rules.replace("\n", "")
    if theme != "auto":
        return rules
    dark = _variables(1)
    return (
        f":root{{{_variables(0)}}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f"[data-theme=dark]{{{dark}}}[data-theme=light]{{{_variables(0)}}}{rules}"
    )


def _land_rules() -> str:
    return "".join(f".km-g{n}{{fill:$land{n}z}}.km-b{n}{{stroke:$band{n}z}}" for n in range(len(LAND)))


def _palette(index: int) -> dict[str, str]:
    colors = {name: pair[index] for name, pair in COLORS.items()}
    for n, land in enumerate(LAND):
        colors[f"land{n}z"], colors[f"band{n}z"] = land[2 * index : 2 * index + 2]
    return colors


def _variables(index: int) -> str:
    return ";".join(f"--km-{name}:{value}" for name, value in _palette(index).items())
