"""A bot of somebody else, with `httpx` and `asyncio`: follows the stream while its executor trades, and resumes the stream after a break.

It takes the URL and the token from its environment, and knows nothing of the gateway. It writes down each answer that it gets as a line of JSON.
"""

import asyncio
import base64
import json
import os
import uuid

import httpx

BASE = os.environ["SVC_BASE_URL"]
MARKET = 2
client = httpx.AsyncClient(headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"}, timeout=20)


def say(request_id, answer, body, streams=False):
    line = {"kind": "answer", "requestId": request_id, "status": answer.status_code, "headers": dict(answer.headers)}
    print(json.dumps({**line, "body": base64.b64encode(body).decode(), "streams": streams}), flush=True)


async def call(method, path, body=None):
    """One call. Waits as long as Retry-After says if the exchange or the gateway is busy."""
    while True:
        request_id = f"httpx-{uuid.uuid4()}"
        answer = await client.request(method, BASE + path, json=body, headers={"X-Request-ID": request_id})
        say(request_id, answer, answer.content)
        if answer.status_code in (429, 503) and "Retry-After" in answer.headers:
            await asyncio.sleep(int(answer.headers["Retry-After"]))
            continue
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {path} {body}: {answer.status_code} {answer.text}")
        return answer.json()


async def events(last_id=None):
    """Yields the stream's events as (id, name, data), from the one after `last_id`. What came until then is written down when the reader stops."""
    request_id = f"httpx-{uuid.uuid4()}"
    headers = {"X-Request-ID": request_id, "Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
    async with client.stream("GET", f"{BASE}/stream?pair_id={MARKET}&interval=1m", headers=headers) as answer:
        answer.raise_for_status()
        got = rest = b""
        try:
            async for part in answer.aiter_raw():
                got += part
                *blocks, rest = (rest + part).split(b"\n\n")
                for block in blocks:
                    fields = dict(line.split(": ", 1) for line in block.decode().split("\n"))
                    yield fields.get("id"), fields["event"], json.loads(fields["data"])
        finally:
            say(request_id, answer, got, streams=True)


async def act(action, payload):
    """Has the exchange validate an action, then execute it, and follows it to its end."""
    key = str(uuid.uuid4())
    tried = await call("POST", "/orders/execute", {"action": action, "payload": {**payload, "idempotency_key": f"{key}-try"}, "prepare_only": True})
    if tried["delegated"]["state"] != "validated":
        raise RuntimeError(f"{action} was not validated: {tried}")
    accepted = await call("POST", "/orders/execute", {"action": action, "payload": {**payload, "idempotency_key": key}})
    while True:
        execution = (await call("GET", f"/executions/{accepted['delegated']['command_id']}"))["execution"]
        if execution["state"] == "executed":
            return
        if execution["state"] != "submitted":
            raise RuntimeError(f"{action}: {execution}")
        await asyncio.sleep(0.05)


async def at_market():
    return {"reference_price": (await call("GET", f"/summary?pair_id={MARKET}"))["summary"]["mark_price"], "max_slippage_bps": 200}


async def part_of_mark(share):
    """A price on a tick of the market: whole dollars."""
    return str(int(float((await at_market())["reference_price"]) * share))


async def own(path, *names):
    rows = await call("GET", path)
    for name in names:
        rows = rows[name]
    return next(row for row in rows if row["pair_id"] == MARKET and row.get("status", "open") == "open")


async def until(stream, fits):
    async for event in stream:
        if fits(event):
            return event
    raise RuntimeError("The stream ended too early")


async def main():
    order = {"pair_id": MARKET, "side": "long", "leverage": 3, "order_value_usdc": "150"}
    stream = events()
    last_id, _, _ = await until(stream, lambda event: event[0] is not None)
    # The order's event comes over the stream that is open while the order is sent.
    opened = asyncio.create_task(until(stream, lambda event: event[1].startswith("order")))
    await act("open_market", {**order, **await at_market(), "client_order_id": str(uuid.uuid4())})
    last_id, _, _ = await asyncio.wait_for(opened, 20)
    await stream.aclose()

    await act("create_limit", {**order, "limit_price": await part_of_mark(0.5), "time_in_force": "gtc"})
    resting = {"order_id": (await own("/orders?limit=20", "orders", "items"))["order_id"]}
    await act("replace", {**resting, "limit_price": await part_of_mark(0.6)})
    await act("cancel", resting)

    # What happened while no stream was open comes now, one event after the other, from the last one that the bot has seen.
    stream = events(last_id)
    resumed = await asyncio.wait_for(until(stream, lambda event: True), 20)
    await stream.aclose()
    if resumed[0] != str(int(last_id) + 1) or "reset" in resumed[2]:
        raise RuntimeError(f"The stream did not resume after {last_id}: {resumed}")

    await act("create_stop", {**order, "trigger_price": await part_of_mark(1.5)})
    stop = {"order_id": (await own("/orders?limit=20", "orders", "items"))["order_id"]}
    position = {"position_id": (await own("/positions", "positions"))["position_id"]}
    ends = [{"action": "cancel", "payload": stop}, {"action": "close", "payload": {**position, **await at_market()}}]
    await act("batch", {"actions": ends})
    for path in ("/trades?limit=10", "/transactions?limit=10", "/positions/history?limit=10"):
        await call("GET", path)


asyncio.run(main())
