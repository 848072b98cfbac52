"""Every order with its help: the HELP mail, the web's help, `gm orders help` and docs/orders.md come from here."""

from __future__ import annotations

from collections.abc import Iterable

from gm.orders import model as m
from gm.orders.model import Window
from gm.values import dataclass

P, F, S = Window.PREGAME, Window.FIRST, Window.SECOND


@dataclass(frozen=True, slots=True)
class Help:
    keyword: str
    classes: tuple[type[m.Order], ...]
    windows: tuple[Window, ...]
    usage: str
    what: str  # one line
    example: str
    rules: tuple[str, ...]
    more: tuple[str, ...] = ()  # further examples

    @property
    def examples(self) -> tuple[str, ...]:
        return (self.example, *self.more)


CATALOGUE: tuple[Help, ...] = (
    Help(
        "GIVE",
        (m.Give,),
        (P, F, S),
        "GIVE goods TO player [FOR goods]",
        "Trade markers; before the game also Leaders. With FOR the other player must order the mirror of it.",
        "GIVE 2 PM TO B",
        ("17/4.2", "15.33", "J5"),
        ("GIVE 1 AM TO B FOR 1 PM", "GIVE Wrangel, Ulagi TO C FOR 2 PM"),
    ),
    Help(
        "ACCEPT",
        (m.Accept,),
        (P,),
        "ACCEPT leaders FROM player",
        "Before the game: take Leaders that another player gives for nothing.",
        "ACCEPT Wrangel FROM E",
        ("15.33", "J5"),
    ),
    Help(
        "REFUSE",
        (m.RefuseGifts, m.RefuseExecution),
        (F, S),
        "REFUSE GIFTS [FROM player] or REFUSE EXECUTION",
        "Decline gifts of markers, or an order to execute the Czar.",
        "REFUSE GIFTS FROM B",
        ("J5", "13.54", "J22"),
        ("REFUSE GIFTS", "REFUSE EXECUTION"),
    ),
    Help(
        "SEIZE",
        (m.Seize,),
        (F, S),
        "SEIZE units WITH leader",
        "A Leader with the Gold takes other players' Green units in his province.",
        "SEIZE GU4 KIEV WITH Kolchak",
        ("13.26", "J6"),
    ),
    Help(
        "MOVE",
        (m.Move,),
        (F,),
        "MOVE force: path [BY RAIL] or MOVE force TO province",
        "Move a force, listed top to bottom, along a path; in brackets + picks up and - drops in that province.",
        "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO",
        ("17/5.0", "5.0", "J7", "J8", "J9", "J10"),
        (
            "MOVE Denikin, WU4 KUBA: KUBA-STAV-ASTR-KIRG-URAL(+WU2 URAL)-SAMA",
            "MOVE Stalin: KURS-OREL-TULA-TVER-NOVG-PETR-OLON-ARCH BY RAIL",
            "MOVE Lenin, RU8 PETR TO LIVO",
        ),
    ),
    Help(
        "ATTACH",
        (m.Attach,),
        (F,),
        "ATTACH units TO leader",
        "Pick up units where the Leader stands, without moving.",
        "ATTACH RU2 KAZA TO Markin",
        ("5.13", "J10"),
    ),
    Help(
        "STACK",
        (m.Restack,),
        (F,),
        "STACK province: pieces",
        "After all your movement exactly these pieces, top to bottom, form a stack.",
        "STACK PSKO: Frunze, RU4 VLDM, Vatzetis, RU3 YARO, Gai",
        ("7.1", "J3"),
    ),
    Help(
        "EMIGRATE",
        (m.Emigrate,),
        (F,),
        "EMIGRATE Czar|Gold FROM province",
        "Take an Imperial unit off the map from a port, for White Victory Points.",
        "EMIGRATE Czar FROM KHER",
        ("13.3", "J15"),
    ),
    Help(
        "EXIT",
        (m.Exit,),
        (F,),
        "EXIT units",
        "Czech units leave the map from Vladivostok.",
        "EXIT BU3 CHEL/CZ",
        ("5.66", "J15"),
    ),
    Help(
        "ASSASSINATE",
        (m.Assassinate,),
        (F,),
        "ASSASSINATE leaders WITH number|ALL",
        "Set Assassin Markers on a Leader whose route meets one of yours at its end; of several, on the first.",
        "ASSASSINATE Trotsky WITH 2",
        ("17/10.0", "J16", "J17"),
        ("ASSASSINATE Trotsky, Tukhachevsky WITH ALL",),
    ),
    Help(
        "PURGE",
        (m.Purge,),
        (F, S),
        "PURGE player [WITH players] USING number PM [DIVIDE player number, ...] [TAKING leaders, PM] [SEPARATELY]",
        "Purge another player's Red Leaders; a joint Purge needs WITH and DIVIDE, alike in all its orders.",
        "PURGE B USING 8 PM",
        ("17/11.0", "11.1", "J18", "J19", "J20", "J21"),
        ("PURGE B WITH E USING 3 PM DIVIDE A 2, E 1 TAKING Tukhachevsky, PM",),
    ),
    Help(
        "COUNTERPURGE",
        (m.Counterpurge,),
        (F, S),
        "COUNTERPURGE STRONGEST|WEAKEST|NEVER|player [TAKING leaders, PM] [IF PURGED BY player]",
        "What to do if a Purge of you fails with a C.",
        "COUNTERPURGE STRONGEST",
        ("11.24", "J21"),
        ("COUNTERPURGE A IF PURGED BY A", "COUNTERPURGE NEVER", "STANDING COUNTERPURGE WEAKEST TAKING PM"),
    ),
    Help(
        "EXECUTE",
        (m.Execute,),
        (F, S),
        "EXECUTE CZAR [WITH players] USING number PM",
        "Order the Czar's execution; the committee needs 10 markers.",
        "EXECUTE CZAR WITH A, E USING 4 PM",
        ("13.5", "J22"),
    ),
    Help(
        "COMPLY",
        (m.Comply,),
        (F, S),
        "COMPLY",
        "Carry out an order to execute the Czar, if it comes while you hold him.",
        "COMPLY",
        ("13.54", "J22"),
    ),
    Help(
        "ATTACK",
        (m.Attack,),
        (S,),
        "ATTACK piece IN province WITH pieces",
        "All the named stacks attack the stack in which the piece is. Indented LOSE and TAKE lines belong to it.",
        "ATTACK WU2 SARA IN SARA WITH Sorokin, Markin",
        ("8.0", "J26", "J28", "J29", "J30"),
    ),
    Help(
        "SUBVERT",
        (m.Subvert,),
        (S,),
        "SUBVERT piece IN province WITH pieces",
        "Red stacks next door try to make a Blue stack desert.",
        "SUBVERT BU2 CHER/GE IN CHER WITH Kalinin",
        ("8.3", "J27"),
    ),
    Help(
        "LOSE",
        (m.Lose,),
        (S,),
        "LOSE pieces",
        "Which of your pieces go first in an Exchange: in all attacks, or indented under one.",
        "LOSE RU2 KAZA, Markin",
        ("8.44", "J31"),
    ),
    Help(
        "TAKE",
        (m.Take,),
        (S,),
        "TAKE pieces",
        "Which pieces of an uncontrolled stack go first in an Exchange.",
        "TAKE WL1 Sidorin",
        ("8.46", "J31"),
    ),
    Help(
        "VOTE",
        (m.Vote,),
        (F, S),
        "VOTE END|CONTINUE",
        "Whether you agree to end the game; on file until changed.",
        "VOTE END",
        ("14.1", "J35"),
        ("VOTE CONTINUE",),
    ),
    Help(
        "RESIGN",
        (m.Resign,),
        (P, F, S),
        "RESIGN",
        "Leave the game after this Phase; you will be asked to confirm.",
        "RESIGN",
        ("14.2", "J37"),
    ),
    Help(
        "PRESS",
        (m.Press,),
        (P, F, S),
        'PRESS [AS "dateline"] [TO players] text, up to END or an empty line before the next order',
        "Printed in the next Bell; with TO passed on to these players only.",
        'PRESS AS "Petrograd (P.I.S.)" All quiet on the Neva.',
        (),
        ("PRESS TO B, C Meet me in Tver.",),
    ),
    Help(
        "STANDING",
        (),
        (F, S),
        "STANDING COUNTERPURGE|COMPLY|REFUSE|LOSE ...",
        "Keeps the order on file until you change it.",
        "STANDING COUNTERPURGE STRONGEST",
        ("J39",),
        ("STANDING REFUSE GIFTS",),
    ),
)
BY_KEYWORD = {help_.keyword: help_ for help_ in CATALOGUE}
BY_CLASS = {cls: help_ for help_ in CATALOGUE for cls in help_.classes}


def example_of(verb: str) -> str | None:
    found = BY_KEYWORD.get(verb.upper())
    return found.example if found else None


def in_window(window: Window) -> Iterable[Help]:
    """What can be ordered in a Phase."""
    return (help_ for help_ in CATALOGUE if window in help_.windows)
