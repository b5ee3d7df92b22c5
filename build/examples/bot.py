"""Your first bot: signs in, makes an API key, opens one position at the market and follows it to FINAL.

Needs Python 3.9 or newer, and `pip install eth-account`. Reads two variables, which `npm run sandbox` prints for
the practice exchange: SVC_HOST_URL, the host of the exchange, and SVC_WALLET_KEY, the private key of the wallet
that trades.

The document of the service leaves some names open: those in the answers of /markets, /summary and key creation,
and the fields of the typed data. They are the practice exchange's here; look at your exchange's answers first.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal

from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data

HOST = os.environ["SVC_HOST_URL"]
WALLET = Account.from_key(os.environ["SVC_WALLET_KEY"])
MAX_ATTEMPTS = 5


class Refused(Exception):
    def __init__(self, status, what):
        super().__init__(what)
        self.status = status


def call(method, path, body=None, headers=None, repeatable=None):
    """One call. Waits as long as Retry-After says after 429, and tries again after other failures if that does no harm.

    repeatable: it only reads, or an idempotency key makes it the same request.
    """
    repeatable = method == "GET" if repeatable is None else repeatable
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(HOST + path, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        is_last = attempt == MAX_ATTEMPTS
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # 429 turned the request away before anything happened.
            if is_last or not (error.code == 429 or (repeatable and error.code >= 500)):
                request_id = error.headers.get("X-Request-ID")
                raise Refused(error.code, f"{method} {path}: {error.code} {error.read().decode()} ({request_id})") from None
            wait = error.headers.get("Retry-After") or ""
            time.sleep(int(wait) if wait.isdigit() else attempt)
        except (OSError, http.client.HTTPException):
            if is_last or not repeatable:
                raise
            time.sleep(attempt)


def sign_message(signable):
    return "0x" + WALLET.sign_message(signable).signature.hex().removeprefix("0x")


def sign_in():
    """Signs in with the wallet. The session manages keys; it cannot trade."""
    challenge = call("POST", "/api/dex/developer/challenge", {"wallet": WALLET.address}, repeatable=True)
    for part in (WALLET.address, urllib.parse.urlsplit(HOST).netloc, "8453", challenge["nonce"]):
        if part not in challenge["message"]:
            raise ValueError(f"The challenge does not name {part}: {challenge['message']}")
    signature = sign_message(encode_defunct(text=challenge["message"]))
    proof = {"wallet": WALLET.address, "nonce": challenge["nonce"], "signature": signature}
    session = call("POST", "/api/dex/developer/session", proof)
    return {"Authorization": f"Bearer {session['developer_session']}"}


def units(amount, decimals):
    return str(int(Decimal(amount).scaleb(decimals)))


def sign_order(typed_data, order, router):
    """Signs what was ordered, and nothing else: every field of the typed data must be the one that this bot asked for."""
    nonce, deadline = typed_data["message"]["nonce"], typed_data["message"]["deadline"]
    # In the order of signing. Amounts are integers: USDC with 6 decimals, prices with 8.
    struct = [
        ("trader", "address", WALLET.address),
        ("pairId", "uint256", str(order["pair_id"])),
        ("side", "string", order["side"]),
        ("orderType", "string", "market"),
        ("marginMode", "string", "cross"),
        ("leverage", "uint256", str(order["leverage"])),
        ("orderValue", "uint256", units(order["order_value_usdc"], 6)),
        ("referencePrice", "uint256", units(order["reference_price"], 8)),
        ("maxSlippageBps", "uint256", str(order["max_slippage_bps"])),
        ("limitPrice", "uint256", "0"),
        ("triggerPrice", "uint256", "0"),
        ("timeInForce", "string", "ioc"),
        ("restIfUnfilled", "bool", False),
        ("postOnly", "bool", False),
        ("takeProfit", "uint256", "0"),
        ("stopLoss", "uint256", "0"),
        ("clientOrderId", "string", order["client_order_id"]),
        ("nonce", "uint256", nonce),
        ("deadline", "uint256", deadline),
    ]
    domain = {"name": "SvcDEX", "version": "1", "chainId": 8453, "verifyingContract": router}
    fields = [{"name": name, "type": kind} for name, kind, _ in struct]
    message = {name: value for name, _, value in struct}
    is_same = (
        typed_data["domain"] == domain
        and typed_data["primaryType"] == "OpenPosition"
        and typed_data["types"]["OpenPosition"] == fields
        and typed_data["message"] == message
    )
    if not is_same or not 0 < int(deadline) - time.time() <= 310:
        raise ValueError(f"This is not what was ordered: {typed_data}")
    return sign_message(encode_typed_data(domain, {"OpenPosition": fields}, message))


def prepare(key):
    """Prepares the smallest market order that the first open market takes. Preparing executes nothing."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        markets = call("GET", "/api/dex/v1/markets", headers=key)["markets"]
        market = next(market for market in markets if market["status"] == "open")
        summary = call("GET", f"/api/dex/v1/summary?pair_id={market['id']}", headers=key)["summary"]
        order = {
            "pair_id": market["id"],
            "side": "long",
            "order_type": "market",
            "leverage": 2,
            "order_value_usdc": market["min_order_value_usdc"],
            "reference_price": summary["mark_price"],
            "max_slippage_bps": 100,
            "client_order_id": str(uuid.uuid4()),
        }
        headers = {**key, "Idempotency-Key": order["client_order_id"]}
        try:
            body = {"action": "open_position", "payload": order}
            return order, call("POST", "/api/dex/v1/orders/prepare", body, headers, repeatable=True)
        except Refused as error:
            # The price has moved or is old. With another price it is another order, under another key.
            is_price = any(code in str(error) for code in ("PRICE_DEVIATION_EXCEEDED", "MARKET_DATA_STALE"))
            if attempt == MAX_ATTEMPTS or not is_price:
                raise
            time.sleep(2)


def open_position(key):
    """Prepares, signs and relays an order. Gives the hash of its transaction."""
    order, prepared = prepare(key)
    execution = prepared["execution"]
    if not execution["ready"] or execution["status"] != "signature_ready" or execution["mode"] != "signed_intent":
        raise ValueError(f"Not executable: {execution['status']} {execution.get('reason')}")
    # Write the router's address into your own bot: then a changed one is noticed.
    router = call("GET", "/api/dex/config")["contracts"]["router"]
    signature = sign_order(execution["typed_data"], order, router)
    try:
        body = {"wallet": WALLET.address, "intent_id": prepared["intent_id"], "signature": signature}
        return call("POST", "/api/dex/actions/relay", body)["tx_hash"]
    except Exception as error:
        if isinstance(error, Refused) and error.status < 500:
            raise
        # No answer, or none to rely on. The order may be on its way: look for it instead of sending it again.
        time.sleep(5)
        found = call("GET", f"/api/dex/v1/orders/by-client-id?client_order_id={order['client_order_id']}", headers=key)
        if not found["intent"]["tx_hash"]:
            raise
        return found["intent"]["tx_hash"]


def follow(tx_hash, key):
    """Follows a transaction to its end, for five minutes at most."""
    last, end = None, time.monotonic() + 300
    while time.monotonic() < end:
        finality = call("GET", f"/api/dex/v1/native/executions/{tx_hash}", headers=key)["finality"]
        if finality != last:
            print(finality, flush=True)
        last = finality
        if finality == "FINAL":
            return
        if finality == "REVERTED":
            raise RuntimeError(f"The transaction {tx_hash} was reverted.")
        time.sleep(1)
    raise TimeoutError(f"The transaction {tx_hash} is still {last}.")


def main():
    session = sign_in()
    terms = {"label": "first bot", "scopes": ["market:read", "account:read", "trade:prepare"], "expires_in_days": 1}
    created = call("POST", "/api/dex/developer/keys", terms, session)
    try:
        key = {"X-Svc-API-Key": created["api_key"]}
        tx_hash = open_position(key)
        print(tx_hash, flush=True)
        follow(tx_hash, key)
    finally:
        # A wallet has ten keys at most. A bot that goes on keeps its key instead, where no one else can read it.
        call("DELETE", f"/api/dex/developer/keys/{created['key']['key_id']}", headers=session, repeatable=True)


if __name__ == "__main__":
    main()
