"""A bot of somebody else, with `requests`: reads the markets, and has its wallet sign or send each of the prepared actions.

It takes the URL and the token from its environment, and knows nothing of the gateway. Its wallet is elsewhere: the bot writes what is to be signed or
sent as a line of JSON, and reads a line with the signature or the transaction's hash. It also writes down each answer that it gets.
"""

import base64
import json
import os
import sys
import time
import uuid

import requests

BASE = os.environ["SVC_BASE_URL"]
HOST = BASE.removesuffix("/api/dex/v1")
TOKEN = os.environ["SVC_API_KEY"]
MARKET = 1
session = requests.Session()


def say(**what):
    print(json.dumps(what), flush=True)


def wallet(kind, what):
    say(kind=kind, what=what)
    return sys.stdin.readline().strip()


def call(method, url, body=None, headers=None):
    """One call. Waits as long as Retry-After says if the exchange or the gateway is busy."""
    while True:
        request_id = f"requests-{uuid.uuid4()}"
        answer = session.request(method, url, json=body, headers={"X-Request-ID": request_id, **(headers or {})}, timeout=20)
        say(
            kind="answer",
            requestId=request_id,
            status=answer.status_code,
            headers=dict(answer.headers),
            body=base64.b64encode(answer.content).decode(),
        )
        if answer.status_code in (429, 503) and "Retry-After" in answer.headers:
            time.sleep(int(answer.headers["Retry-After"]))
            continue
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {url} {body}: {answer.status_code} {answer.text}")
        return answer.json()


def read(path):
    return call("GET", BASE + path, headers={"X-Svc-API-Key": TOKEN})


def follow(tx_hash):
    """Waits until a transaction is final."""
    while True:
        finality = read(f"/native/executions/{tx_hash}")["finality"]
        if finality == "FINAL":
            return
        if finality == "REVERTED":
            raise RuntimeError(f"{tx_hash} was reverted")
        time.sleep(0.05)


def act(action, payload):
    """Prepares an action, and has the wallet sign or send it: as the exchange says in `execution`."""
    headers = {"X-Svc-API-Key": TOKEN, "Idempotency-Key": str(uuid.uuid4())}
    prepared = call("POST", f"{BASE}/orders/prepare", {"action": action, "payload": payload}, headers)
    execution, intent_id = prepared["execution"], prepared["intent_id"]
    if not execution["ready"]:
        raise RuntimeError(f"{action} is not ready: {execution}")
    if execution["status"] == "signature_ready":
        body = {"wallet": address, "intent_id": intent_id, "signature": wallet("sign", execution["typed_data"])}
        follow(call("POST", f"{HOST}/api/dex/actions/relay", body)["tx_hash"])
        return
    for transaction in execution["transactions"]:
        tx_hash = wallet("send", transaction)
        follow(tx_hash)
    body = {"wallet": address, "intent_id": intent_id, "tx_hash": tx_hash, "state": "confirmed"}
    call("POST", f"{HOST}/api/dex/actions/receipt", body)


def at_market():
    return {"reference_price": read(f"/summary?pair_id={MARKET}")["summary"]["mark_price"], "max_slippage_bps": 200}


def part_of_mark(share):
    """A price on a tick of the market: whole dollars."""
    return str(int(float(at_market()["reference_price"]) * share))


def own(rows):
    return next(row for row in rows if row["pair_id"] == MARKET and row.get("status", "open") == "open")


for path in (
    *("/status", "/meta", "/markets", f"/candles?pair_id={MARKET}&interval=1m&limit=20", "/snapshot", f"/summary?pair_id={MARKET}", "/summaries"),
    *(f"/markets/{MARKET}/funding", f"/markets/{MARKET}/open-interest", f"/orderbook?pair_id={MARKET}", "/vault"),
):
    read(path)

address = read("/positions")["wallet"]
act("add_collateral", {"token": "USDC", "amount": "25"})
order_id = str(uuid.uuid4())
order = {"pair_id": MARKET, "side": "long", "margin_mode": "isolated", "leverage": 5, "order_value_usdc": "200", "client_order_id": order_id}
act("open_position", {**order, **at_market()})
if read(f"/orders/by-client-id?client_order_id={order_id}")["intent"]["tx_hash"] is None:
    raise RuntimeError("The order is not found by its own id")
position = {"position_id": own(read("/positions")["positions"])["position_id"]}
act("update_tpsl", {**position, "take_profit": part_of_mark(1.5), "stop_loss": part_of_mark(0.85)})
act("add_isolated_margin", {**position, "amount_usdc": "20"})
act("reduce_isolated_margin", {**position, "amount_usdc": "5"})
act("change_isolated_leverage", {**position, "leverage": 4})
act("update_tpsl", {**position, "take_profit": None, "stop_loss": None})
act("invert_position", {**position, **at_market()})
position = {"position_id": own(read("/positions")["positions"])["position_id"]}
act("close_position_limit", {**position, "limit_price": part_of_mark(0.5)})
resting = {"order_id": own(read("/orders?limit=20")["orders"]["items"])["order_id"]}
act("replace_order", {**resting, "limit_price": part_of_mark(0.6)})
act("cancel_order", resting)
act("close_position_market", {**position, **at_market()})
act("withdraw_collateral", {"token": "USDC", "amount": "5"})
