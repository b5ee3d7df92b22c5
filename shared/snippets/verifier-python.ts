/** A verifier of deliveries for Python 3, without other packages. */
export const verifierForPython = `import hashlib
import hmac
import json
import math
import re
import time

TOLERANCE_S = 300
# The end of the year 9999.
LATEST_S = 253402300799


def is_text(value, longest=math.inf):
    return isinstance(value, str) and 0 < len(value) <= longest


def is_time(value):
    return type(value) in (int, float) and 0 <= value <= LATEST_S and value == int(value)


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def verify_delivery(headers, body, secret, now_s=None):
    """The event of a delivery. Raises ValueError where it is not to be trusted.

    headers: a mapping that finds names in any case, or with names in lower case.
    body: the raw bytes, before anything parsed them.
    secret: the whole signing secret, svc_whsec_ included: os.environ["SVC_WEBHOOK_SECRET"].
    """
    timestamp = headers.get("x-svc-timestamp") or ""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise ValueError("no timestamp")
    now_s = int(time.time()) if now_s is None else now_s
    # Svc asks to refuse old ones. One as far ahead is refused by this verifier's own rule.
    if abs(now_s - int(timestamp)) > TOLERANCE_S:
        raise ValueError("too old, or ahead of this clock")
    given = re.fullmatch(r"v1=([0-9a-fA-F]{64})", headers.get("x-svc-signature") or "")
    if not secret or given is None:
        raise ValueError("no signature")
    right = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).digest()
    # In constant time.
    if not hmac.compare_digest(bytes.fromhex(given[1]), right):
        raise ValueError("wrong signature")
    try:
        event = json.loads(body.decode("utf-8"), parse_constant=refuse_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(event, dict) or not is_text(event.get("id"), 96) or not is_text(event.get("type")):
        raise ValueError("no event")
    if not is_time(event.get("created_at")) or not isinstance(event.get("data"), dict):
        raise ValueError("no created_at or no data")
    if not isinstance(event.get("revoked_event_id"), (str, type(None))):
        raise ValueError("revoked_event_id is no text")
    # The headers with id and type are not signed: the body is.
    if event["id"] != headers.get("x-svc-event-id") or event["type"] != headers.get("x-svc-event"):
        raise ValueError("headers are not those of this body")
    # The same event may come again: keep event["id"] where it is unique, answer 2xx to one that you have, and do nothing.
    # Events may come out of order: order them by event["created_at"]. One with revoked_event_id takes that event back.
    return event
`
