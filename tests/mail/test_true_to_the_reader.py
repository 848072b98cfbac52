"""What is promised in a mail can be done by its reader: letters, examples, who is waited for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gm.campaign import schedule, ticker
from gm.campaign.access import signin_footer
from gm.campaign.manage import deadlines
from gm.campaign.notices import render_notice
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.orders.check.checker import check
from gm.orders.parser import parse
from gm.orders.problems import Severity
from tests.mail.post import Post


def flat(text: str) -> str:
    return " ".join(text.split())


def test_who_was_taken_out_reaches_the_gamesmaster_and_nobody_else(post: Post) -> None:
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "")
    told = {m.letter: flat(m.text) for m in post.since(before)}
    letters = "Letters between you and the other players are no longer passed on. You can still write to Gregor"
    assert letters.lower() in told["D"].lower()
    assert "at their deadline, " in told["D"] and "or earlier, as soon as all the others are ready." in told["D"]
    assert "Nobody waits for Dmitri any more, so the deadline, " in told["A"]
    assert (
        "comes nearer when all the rest of you are ready. Letters between D and the other players are no" in told["A"]
    )
    for _ in ("removed", "quit"):
        mails = post.write("D", "LETTER TO GM: May I come back?")
        assert [m.letter for m in mails if m.kind == "letter"] == ["GM"]
        for words in ("LETTER TO A: Farewell!", "LETTER TO A, GM: Farewell!", "PRESS: Farewell!"):
            (refused,) = post.write("D", words)
            assert "you are out of the game and can write to Gregor only. Write LETTER TO GM:" in flat(refused.text)
            assert ("Your letter to Anna (A)" in flat(refused.text)) == words.startswith("LETTER")
        deadlines.close_early(post.services, post.campaign)
        ticker.tick(post.services)


def test_no_letter_is_promised_an_answer_by_who_is_out(post: Post) -> None:
    holders.remove(post.services, post.campaign, "D", "")
    (refused,) = post.write("A", "LETTER TO D: How are you?")
    said = "Your letter to Dmitri (D) was not sent: Dmitri is out of the game and gets no letters but Gregor's."
    assert f"{said} Write to Gregor instead: LETTER TO GM: and your words." in flat(refused.text)
    assert "has gone to" not in refused.text
    mails = post.write("A", "LETTER TO ALL: Who is next?")
    assert [m.letter for m in mails if m.kind == "letter"] == ["B", "C", "E"]
    mails = post.write("A", "GIVE 1 PM TO B\nPRESS TO D: How are you?")
    assert not [m for m in mails if m.kind == "letter"] and post.orders_of("A") == "GIVE 1 PM TO B"
    (left,) = [m for m in mails if m.kind == "press_left_out"]
    assert "none of them to whoever is out of the game" in flat(left.text)


def test_a_removal_gives_the_gamesmaster_a_whole_sentence_before_the_command(post: Post) -> None:
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "")
    (gm,) = [m.text for m in post.since(before) if m.letter == "GM"]
    said = flat(gm)
    assert "To give the seat to somebody, or back to Dmitri, use your desk, or: gm campaign replace" in said
    assert "Nobody waits for Dmitri any more, so the deadline, " in said and said.count("deadline") == 1
    assert said.count(" seat ") == 2, "that it can be filled is not said over and over"
    assert "Unless somebody takes the seat before they close, the Leaders of D" in said


def test_an_example_of_a_move_is_of_the_readers_own_idle_force(first_phase: Post) -> None:
    state = lookups.state(first_phase.services, first_phase.campaign)
    for letter in "ABCDE":
        (answer,) = first_phase.write(letter, "MOVE my cossacks to Moscow")
        line = flat(answer.text).split("Such an order is written like this: ")[1].split(" Without orders")[0]
        own = line.replace("|", " ").split(" To mend it")[0]
        read = parse(state.board, flat(own), tuple("ABCDE"))
        found = check(state.board, state.position, letter, read.sheet)
        assert len(read.sheet.orders) == 1 and all(p.severity is Severity.NOTE for p in found), own


def test_ready_with_a_sheet_says_who_is_not_ready_as_ready_alone_does(post: Post) -> None:
    for letter in "AB":
        post.write(letter, "HOLD\nREADY")
    (receipt,) = post.write("C", "HOLD\nREADY")
    assert "Not ready yet: Dmitri and Elena." in flat(receipt.text)


def test_who_asked_for_the_full_time_is_named(post: Post) -> None:
    for letter in "ABCDE":
        post.write(letter, "HOLD\nREADY")
    mails = {m.letter: flat(m.text) for m in post.write("C", "NOT READY") if m.kind == "closing"}
    assert "Clara has asked for the full time, so all have it again." in mails["A"]
    facts: dict[str, object] = {"nearer": False, "asked": ["Clara"], "unready": [], "ready": (), "name": "X"}
    facts |= {"title": "June 1918", "phase_name": "July", "deadline": None, "old": None, "zone": "UTC"}
    for letter, named in (("A", False), ("GM", True)):
        _, text = render_notice("closing", letter=letter, shown=False, **facts)
        assert ("Clara has asked" in text) == named and ("not everybody" in text.lower()) != named


def test_after_a_pause_everybody_reads_whether_their_own_orders_are_in(post: Post) -> None:
    post.write("A", "HOLD")
    deadlines.pause(post.services, post.campaign)
    before = post.newest()
    deadlines.resume(post.services, post.campaign)
    told = {m.letter: m.text for m in post.since(before)}
    assert "Your orders stand, and you can change them until then. You are not READY yet;" in flat(told["A"])
    assert "whoever was READY" in told["GM"] and not any("whoever" in told[letter] for letter in "ABCDE")
    assert "Your orders have not come in yet." in told["B"]
    assert "Answer this mail with them (HOLD is enough" in flat(told["B"]) and "EXTEND and a reason" in flat(told["B"])
    assert "Your orders" not in told["GM"] and "EXTEND" not in told["A"]


def test_where_nobody_moves_nobody_is_told_that_their_forces_stay(first_phase: Post) -> None:
    post = first_phase
    assert lookups.state(post.services, post.campaign).phase == "first"
    before = post.newest()
    deadlines.nudge(post.services, post.campaign, ["A"])
    assert "your forces stay where they are" in flat(post.since(before)[0].text)
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    before = post.newest()
    deadlines.nudge(post.services, post.campaign, ["A"])
    (reminder,) = post.since(before)
    assert "none of your forces attacks in this Phase." in flat(reminder.text) and "stay where" not in reminder.text


def test_the_gamesmaster_knows_by_when_the_invited_are_asked_to_answer(post: Post) -> None:
    mails = post.since(0)
    (welcome,) = [flat(m.text) for m in mails if m.kind == "welcome"]
    invitation = next(flat(m.text) for m in mails if m.kind == "invitation")
    day = welcome.split("asked to answer by ")[1].split(". To ask")[0]
    assert f"please by {day}." in invitation and "gm campaign replace" in welcome


def test_only_who_has_a_seat_is_shown_to_a_desk() -> None:
    page = "<html><body></body></html>"
    for kind, words in (("invitation", "To answer on the web"), ("bell", "Your desk on the web")):
        assert words in signin_footer.under_text("Dear Anna", "https://bell.test/in#x", kind)
        assert words in str(signin_footer.under_html(page, "https://bell.test/in#x", kind))


def test_the_gamesmaster_is_not_told_that_letters_to_him_end(post: Post) -> None:
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "")
    (gm,) = [flat(m.text) for m in post.since(before) if m.letter == "GM"]
    assert "Letters between D and the other players are no longer passed on; Dmitri can still write to you" in gm
    assert "Dmitri, who played D, has been taken out" in gm


def test_all_are_told_that_who_takes_a_seat_reads_its_earlier_letters(post: Post) -> None:
    before = post.newest()
    holders.replace(post.services, post.campaign, "D", NewPlayer("Fanny", "fanny@example.org", "UTC"))
    told = {(m.kind, m.letter): flat(m.text) for m in post.since(before)}
    words = "Fanny can read the earlier letters of seat D."
    assert all(words in told["newcomer", letter] for letter in ("A", "B", "C", "E", "GM"))
    assert "Gregor has given seat D of June 1918 to Fanny, in place of Dmitri, with all" in told["newcomer", "A"]
    assert "Gregor" not in told["newcomer", "GM"].removeprefix("Dear Gregor,")
    assert "Dmitri was told that you gave no reason" in told["newcomer", "GM"]
    assert "Fanny was told how to decline: by a letter to you." in told["newcomer", "GM"]
    assert "decline" not in told["newcomer", "A"] and "reason" not in told["newcomer", "A"]
    assert words in told["replaced", None] and "Your links and your desk have ended." in told["replaced", None]
    briefing = told["briefing", "D"]
    assert "On your desk you can read the earlier letters of seat D." in briefing
    assert "No orders are on file yet." in briefing and "answer LETTER TO GM: and say so" in briefing


def test_how_to_reach_the_gamesmaster_is_said_once(post: Post) -> None:
    footer = "What Gregor is to read begins with"
    (answer,) = post.write("A", "STATUS")
    assert footer in answer.text
    holders.remove(post.services, post.campaign, "D", "")
    (refused,) = post.write("D", "LETTER TO A: Farewell!")
    assert "LETTER TO GM:" in refused.text and footer not in refused.text


def test_no_letter_to_the_gamesmaster_promises_that_nobody_sees_the_address(post: Post) -> None:
    for to, promised in (("B", True), ("GM", False)):
        mails = [flat(m.text).lower() for m in post.write("A", f"LETTER TO {to}: How are you?")]
        assert len(mails) == 2 and all(("no player sees your address" in text) == promised for text in mails)


def test_a_line_that_was_not_understood_is_told_above_and_in_its_place(first_phase: Post) -> None:
    (receipt,) = first_phase.write("A", "VOTE END\nMOVE my cossacks to Moscow")
    said = flat(receipt.text)
    assert 'sheet again. With "ADD" the sheet keeps what was not understood; it does nothing' in said
    assert said.count("NOT UNDERSTOOD") == 2 and "needs your attention" not in said


def test_status_in_a_pause_tells_the_time_left_and_the_reason(post: Post) -> None:
    deadlines.pause(post.services, post.campaign, "Gregor is ill.")
    (answer,) = post.write("A", "STATUS")
    assert "The reason given: “Gregor is ill.”\n\nTime left: " in answer.text, "it stands in no column"
    assert "at least, when it goes on" in answer.text
    assert "Awaited:     Anna (A), Boris (B), Clara (C), Dmitri (D) and Elena (E)" in answer.text


def test_who_is_late_and_the_gamesmaster_read_what_can_be_done_next(post: Post) -> None:
    for letter in "ABDE":
        post.write(letter, "HOLD")
    state = lookups.state(post.services, post.campaign)
    assert state.deadline is not None
    post.clock.advance(seconds=(state.deadline - post.clock.now()).total_seconds() + 60)
    before = post.newest()
    ticker.tick(post.services)
    told = {m.kind: flat(m.text) for m in post.since(before)}
    assert "HOLD is enough if nothing is to be done" in told["grace"] and "EXTEND and a reason" in told["grace"]
    said, _, later = told["grace_gm"].partition("To give everybody time until ")
    assert "To remind Clara again" in said
    deadlines.extend(post.services, post.campaign, hours=24)
    _, _, now = flat(post.since(before)[-1].text).partition(" is now ")
    assert later.split(",")[0] == now.split(",")[0], "the time that the command gives"


def test_the_example_of_more_time_leads_beyond_the_grace() -> None:
    due = datetime(2026, 3, 15, 20, tzinfo=UTC)
    for grace, hours in ((0, 24), (12, 24), (24, 48), (30, 48), (48, 72)):
        assert schedule.more_hours(due, due + timedelta(hours=grace), 24) == hours


def test_several_who_asked_for_the_full_time_stand_in_one_line(post: Post) -> None:
    post.write("A", "HOLD\nNOT READY")
    (answer,) = post.write("B", "STATUS")
    assert "Not ready:   Anna (A), who asked for the full time\n" in answer.text


def test_a_vote_for_the_end_is_told_what_it_takes(first_phase: Post) -> None:
    (receipt,) = first_phase.write("A", "VOTE END")
    pm = lookups.state(first_phase.services, first_phase.campaign).position.box("A").pm
    said = flat(receipt.text)
    assert "votes with 10 PM together are for it and no White Leader stands outside Siberia." in said
    assert f"You have {pm} PM." in said and "[14.1, J35]" in said
    (receipt,) = first_phase.write("A", "VOTE CONTINUE")
    assert "Siberia" not in receipt.text


def test_who_was_taken_out_can_be_given_the_seat_back(post: Post) -> None:
    address = holders.seat_of(post.services, post.campaign, "D").address
    post.write("D", "GIVE 1 PM TO A")
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "")
    (removed,) = [flat(m.text) for m in post.since(before) if m.kind == "removed"]
    back = "Unless the seat is given back to you before they close, you have no points at the end of the game."
    assert back in removed
    assert "Unless somebody takes it by then, your Leaders and their units neither move nor attack" in removed
    assert "though they still defend, and your Markers go to the Randomizer [14.2, J37]." in removed
    before = post.newest()
    holders.replace(post.services, post.campaign, "D", NewPlayer("Dmitri", address))
    told = {(m.kind, m.letter): flat(m.text) for m in post.since(before)}
    assert "You play D again, and have everything that belongs to that seat." in told["briefing", "D"]
    assert "GIVE 1 PM TO A" in told["briefing", "D"] and not [key for key in told if key[0] == "replaced"]
    assert "Gregor has given seat D of June 1918 back to Dmitri, with all that belongs to it." in told["newcomer", "A"]
    assert "Letters to D go to Dmitri again." in told["newcomer", "A"] and "Seat D" in told["newcomer", "GM"]
    assert post.write("D", "GIVE 2 PM TO A") and post.orders_of("D") == "GIVE 2 PM TO A"
    assert [m.letter for m in post.write("D", "LETTER TO A: I am back.") if m.kind == "letter"] == ["A"]
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    bell = next(m.text for m in post.since(before) if m.kind == "bell" and m.letter == "A")
    assert "taken out" not in bell and "taken over" not in bell
