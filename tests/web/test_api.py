"""The API: what a program may read, check and send, and that nothing it sends breaks anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from starlette.testclient import TestClient

from gm.board.load import standard_board
from gm.campaign.access.links import Purpose
from gm.campaign.phase import intake
from gm.campaign.services import Services
from gm.web.guard import security
from gm.web.models import LONGEST_SHEET
from tests.support import examples
from tests.web.table import OPEN, OWN, Browser, play, ticket

Make = Callable[[], Browser]
API = f"/api/v1/campaigns/{OWN}"
LENIN = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


@pytest.fixture
def program(app: FastAPI, table: Services) -> TestClient:
    """A program with the token of player A."""
    client = TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
    client.headers["Authorization"] = f"Bearer {ticket(table, OWN, 'A', Purpose.API)}"
    return client


def test_the_token_comes_from_the_seat_page_and_is_never_in_an_address(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    page = anna.post(f"/c/{OWN}/token")
    token = page.text.split('<pre id="api-token">')[1].split("<")[0]
    answer = anna.client.get(f"{API}/orders", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert "no-store" in page.headers["cache-control"]


def test_orders_are_checked_without_being_kept(program: TestClient) -> None:
    answer = program.post(f"{API}/orders/check", json={"text": LENIN}).json()
    order = answer["orders"][0]
    assert (order["kind"], order["status"], order["text"]) == ("Move", "ok", LENIN)
    assert order["path"] == ["PETR", "PSKO", "LIVO"]
    assert program.get(f"{API}/orders").json() == []


def test_orders_are_sent_and_read_back_with_their_seal(program: TestClient, table: Services) -> None:
    sent = program.post(f"{API}/orders", json={"text": LENIN}).json()
    assert (sent["status"], sent["version"], sent["canonical"]) == ("taken", 1, LENIN)
    on_file = intake.current_orders(table, OWN, "A")
    assert on_file is not None
    assert (on_file.receipt, on_file.source) == (sent["receipt"], "api")
    assert [v["receipt"] for v in program.get(f"{API}/orders").json()] == [sent["receipt"]]


def test_what_is_too_large_is_refused_as_the_page_says(program: TestClient) -> None:
    page = Path("docs/api.md").read_text("utf-8")
    for number in (LONGEST_SHEET, intake.MAX_CHARACTERS, intake.MAX_LINES, security.LARGEST_BODY):
        assert f"{number:,}" in page
    for text in ("x" * (intake.MAX_CHARACTERS + 1), "HOLD\n" * (intake.MAX_LINES + 1)):
        answer = program.post(f"{API}/orders", json={"text": text})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "long")
    answer = program.post(f"{API}/orders", json={"text": "x" * (LONGEST_SHEET + 1)})
    assert (answer.status_code, bool(answer.json()["error"]["problems"])) == (422, True)
    assert program.post(f"{API}/orders", json={"text": "x" * (security.LARGEST_BODY + 1)}).status_code == 413


def test_the_orders_of_two_phases_in_one_text_are_two_sheets_as_by_mail(program: TestClient) -> None:
    text = f"ORDERS June 1918 First Phase\n{LENIN}\nORDERS June 1918 Second Phase\nCOUNTERPURGE STRONGEST"
    sent = program.post(f"{API}/orders", json={"text": text}).json()
    (later,) = sent["also"]
    assert (sent["status"], sent["phase"], sent["canonical"]) == ("taken", "first", LENIN)
    assert (later["status"], later["phase"], later["canonical"]) == ("ahead", "second", "COUNTERPURGE STRONGEST")


def test_a_line_that_is_not_understood_is_pointed_at(program: TestClient) -> None:
    answer = program.post(f"{API}/orders/check", json={"text": "COUNTERPURGE STRONGEST\nMOVE Lenni: PETR-NOVG"}).json()
    problem = next(p for p in answer["problems"] if p["severity"] == "problem")
    assert (problem["line"], problem["family"]) == (2, "not understood")
    assert "Lenin" in problem["message"]
    assert problem["suggestion"] == "MOVE Lenin: PETR-NOVG"


def test_reach_tells_what_stops_a_force(program: TestClient, table: Services) -> None:
    lenin = next(p for p in standard_board().leaders if p.name == "Lenin")
    answer = program.get(f"{API}/reach", params={"pieces": str(lenin.code), "path": "PETR"}).json()
    ways = {way["province"]: way for way in answer["reach"]}
    assert ways["LIVO"]["path"] == ["PSKO", "LIVO"]
    assert ways["LIVO"]["stops"]
    assert "Yudenich" in ways["LIVO"]["reason"]
    assert not ways["TVER"]["stops"]
    assert answer["left"] == 5


def test_a_battle_shows_its_odds(program: TestClient, table: Services) -> None:
    play(table, "first", OWN)
    order = program.post(f"{API}/orders/check", json={"text": "ATTACK WU2 SARA IN SARA WITH Sorokin"}).json()["orders"][
        0
    ]
    assert (order["battle"]["odds"], order["battle"]["attack"], order["battle"]["defence"]) == ("3-1", 6, 2)
    assert order["battle"]["results"]["6"] == "Ex"
    assert order["status"] == "ok"  # its odds are no note besides
    results = program.get(f"{API}/results/1/first").json()
    assert {"player": "A", "number": 2, "order": LENIN, "status": "done", "rules": []}.items() <= {
        **next(r for r in results["results"] if (r["player"], r["number"]) == ("A", 2)),
        "rules": [],
    }.items()
    assert program.get(f"{API}/timeline").json()["frames"][0]["moves"]
    assert program.get(f"{API}/fairness").json()["phases"][0]["secret"]


def test_the_open_phase_keeps_its_secrets(program: TestClient) -> None:
    assert program.get(f"{API}/fairness").json()["phases"] == []
    assert program.get(f"{API}/results/1/first").status_code == 404


def test_public_campaigns_are_read_without_a_token(app: FastAPI) -> None:
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    assert [c["id"] for c in client.get("/api/v1/campaigns").json()] == [OPEN]
    assert client.get(f"/api/v1/campaigns/{OPEN}/bells/2").json()["document"]["schema"].startswith("bell/")
    assert client.get(f"/api/v1/campaigns/{OWN}").status_code == 404


def test_nobody_sees_others_orders_or_addresses(program: TestClient, table: Services) -> None:
    intake.submit(table, OWN, "B", "MOVE Tukhachevsky, RU8 NOVG: NOVG-TVER", source="mail")
    paths = ("", "/position", "/desk", "/orders", "/timeline", "/fairness", "/bells", "/bells/2")
    everything = "".join(program.get(f"{API}{path}").text for path in paths)
    assert "NOVG-TVER" not in everything
    assert "@own.test" not in everything


def test_whatever_is_typed_is_checked_without_breaking(program: TestClient) -> None:
    vocabulary = "MOVE ATTACK STACK PURGE Lenin RU8 PETR PSKO LIVO , : - ( ) + BY RAIL TO WITH 2 PM GIVE A B é #19 Czar"
    words = st.sampled_from([*vocabulary.split(), "\n", "\t"])

    @settings(
        max_examples=examples(300, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(st.one_of(st.text(max_size=200), st.lists(words, max_size=30).map(" ".join)))
    def check(text: str) -> None:
        answer = program.post(f"{API}/orders/check", json={"text": text})
        assert answer.status_code in (200, 422)

    check()


def test_no_request_that_the_description_allows_breaks_the_api(app: FastAPI, table: Services) -> None:
    """schemathesis makes requests from the OpenAPI description, good and bad ones: never a 5xx."""
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    headers = {"Authorization": f"Bearer {ticket(table, OWN, 'A', Purpose.API)}"}
    tried = 0
    for operation in schema.get_all_operations():
        strategy = operation.ok().as_strategy()

        @settings(
            max_examples=examples(25, 8),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def probe(case: schemathesis.Case) -> None:
            nonlocal tried
            if "campaign" in case.path_parameters and tried % 2:
                case.path_parameters["campaign"] = OWN  # behind the door too
            tried += 1
            case.call_and_validate(headers=headers, checks=[not_a_server_error])

        probe()
    assert tried > 100


def test_a_token_of_old_keys_is_told_as_such(app: FastAPI, table: Services, browser: Make) -> None:
    client = TestClient(app, base_url="http://127.0.0.1:8000")
    client.headers["Authorization"] = f"Bearer {ticket(table, OWN, 'A', Purpose.API)}"
    assert client.get(f"{API}/desk").status_code == 200
    browser().sit(OWN, "A").post(f"/c/{OWN}/keys")
    answer = client.get(f"{API}/desk")
    assert answer.status_code == 401 and answer.json()["error"]["code"] == "token"
