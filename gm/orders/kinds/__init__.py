"""The kinds of order: a class each, with keyword, Phases, help, examples, rules and printing. Import from here.

How to add one: CONTRIBUTING, "Adding an order".
"""

from gm.orders.kinds.base import ORDER_PHASES, About, Named, Order, StandingOrder, print_piece
from gm.orders.kinds.combat import Attack, Lose, Subvert, Take
from gm.orders.kinds.movement import Act, Attach, Emigrate, Exit, Handling, Move, Restack, Stop
from gm.orders.kinds.other import Deploy, Done, Hold, Press, Resign, Unread, Vote
from gm.orders.kinds.politics import (
    Against,
    Assassinate,
    Comply,
    Counterpurge,
    Execute,
    Purge,
    RefuseExecution,
)
from gm.orders.kinds.sheet import Guard, Sheet
from gm.orders.kinds.trades import Accept, Give, Goods, RefuseGifts, Seize

__all__ = [
    "ORDER_PHASES",
    "About",
    "Accept",
    "Act",
    "Against",
    "Assassinate",
    "Attach",
    "Attack",
    "Comply",
    "Counterpurge",
    "Deploy",
    "Done",
    "Emigrate",
    "Execute",
    "Exit",
    "Give",
    "Goods",
    "Guard",
    "Handling",
    "Hold",
    "Lose",
    "Move",
    "Named",
    "Order",
    "Press",
    "Purge",
    "RefuseExecution",
    "RefuseGifts",
    "Resign",
    "Restack",
    "Seize",
    "Sheet",
    "StandingOrder",
    "Stop",
    "Subvert",
    "Take",
    "Unread",
    "Vote",
    "print_piece",
]
