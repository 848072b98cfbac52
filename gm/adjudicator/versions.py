"""The versions of the rules-reading and of the dice by which this adjudicator judges.

Every Phase records both. READING goes up when the same position, orders and dice come to another result; DICE when the
same secret gives other dice. Phases judged by other versions are verified by their records, never judged again.
"""

READING = 2
DICE = 2
BEACON_DICE = 3  # as 2, with a round of a public beacon
