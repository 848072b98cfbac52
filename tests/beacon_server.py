"""A public beacon of our own on loopback, in the form of drand, with a key of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from gm.reports.proof.beacon import SCHEME

KEY = Scalar(0x1918_0622)
PERIOD, GENESIS = 30, 1_700_000_000
_DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class OwnBeacon(ThreadingHTTPServer):
    """Gives a round when its time has come; `away`: answers nothing, `forged`: with another's signature."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.now = now
        self.away = self.forged = False
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/chain"

    def answer(self, path: str) -> dict[str, object] | None:
        self.asked.append(path)
        if self.away:
            return None
        if path == "/chain/info":
            key = bytes((G2Point() * KEY).to_compressed_bytes()).hex()
            return {"public_key": key, "period": PERIOD, "genesis_time": GENESIS, "schemeID": SCHEME, "hash": "own"}
        number = int(path.removeprefix("/chain/public/"))
        if self.now().timestamp() < GENESIS + (number - 1) * PERIOD:
            return None
        said = G1Point.hash_to_curve(hashlib.sha256(number.to_bytes(8, "big")).digest(), _DST)
        signature = bytes((said * (Scalar(7) if self.forged else KEY)).to_compressed_bytes())
        return {
            "round": number,
            "randomness": hashlib.sha256(signature).hexdigest(),
            "signature": signature.hex(),
        }


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, OwnBeacon)
        found = self.server.answer(self.path)
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write(json.dumps(found or {}).encode())

    def log_message(self, *args: object) -> None:
        """A test prints nothing."""


@contextmanager
def own_beacon(now: Callable[[], datetime]) -> Iterator[OwnBeacon]:
    server = OwnBeacon(now)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
