/** Go code that verifies webhook deliveries, for users to copy. Needs only the standard library. */
const verifierForGo = `package receiver

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	toleranceS = 300
	// The latest valid created_at: the end of the year 9999.
	latestS = 253402300799
)

// Event is the verified content of a delivery.
type Event struct {
	ID             string
	Type           string
	CreatedAt      int64
	RevokedEventID *string
	Data           json.RawMessage
}

// VerifyDelivery returns the event of a delivery, or an error if the delivery cannot be trusted.
// body: the raw bytes, from io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)), before any parsing.
// secret: the whole signing secret, including svc_whsec_: os.Getenv("SVC_WEBHOOK_SECRET").
func VerifyDelivery(headers http.Header, body []byte, secret string, now time.Time) (*Event, error) {
	timestamp := headers.Get("X-Svc-Timestamp")
	sentS, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || len(timestamp) > 12 {
		return nil, errors.New("no timestamp")
	}
	// Svc asks receivers to refuse deliveries older than the tolerance. This verifier also refuses deliveries signed further ahead of this clock than
	// the tolerance.
	if age := now.Unix() - int64(sentS); age > toleranceS || age < -toleranceS {
		return nil, errors.New("too old, or ahead of this clock")
	}
	signature := headers.Get("X-Svc-Signature")
	given, err := hex.DecodeString(strings.TrimPrefix(signature, "v1="))
	if secret == "" || !strings.HasPrefix(signature, "v1=") || err != nil || len(given) != sha256.Size {
		return nil, errors.New("no signature")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	// The comparison takes constant time, so that its duration reveals nothing about the right signature.
	if !hmac.Equal(given, mac.Sum(nil)) {
		return nil, errors.New("wrong signature")
	}
	event, err := readEvent(body)
	if err != nil {
		return nil, err
	}
	// The signature covers the body, but not the headers with id and type. So these headers must match the body.
	if event.ID != headers.Get("X-Svc-Event-ID") || event.Type != headers.Get("X-Svc-Event") {
		return nil, errors.New("headers are not those of this body")
	}
	// The same event may arrive again: store event.ID as unique, respond 2xx to an event that you already have, and do nothing.
	// Events may arrive out of order: sort them by event.CreatedAt. An event with a RevokedEventID revokes that earlier event.
	return event, nil
}

func readEvent(body []byte) (*Event, error) {
	// Decode into a map, because a struct would also accept field names in another letter case.
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil {
		return nil, errors.New("not JSON")
	}
	event := Event{Data: fields["data"]}
	var createdAt *float64
	targets := map[string]any{"id": &event.ID, "type": &event.Type, "created_at": &createdAt, "revoked_event_id": &event.RevokedEventID}
	for name, target := range targets {
		if raw, isThere := fields[name]; isThere && json.Unmarshal(raw, target) != nil {
			return nil, errors.New(name + " is of another type")
		}
	}
	if event.ID == "" || utf8.RuneCountInString(event.ID) > 96 || event.Type == "" || !bytes.HasPrefix(event.Data, []byte("{")) {
		return nil, errors.New("no event")
	}
	if createdAt == nil || *createdAt != math.Trunc(*createdAt) || *createdAt < 0 || *createdAt > latestS {
		return nil, errors.New("no created_at")
	}
	event.CreatedAt = int64(*createdAt)
	return &event, nil
}
`

/** Rust code that verifies webhook deliveries, for users to copy. Needs the crates `hmac`, `sha2` and `serde_json`. */
const verifierForRust = `// cargo add hmac@0.12 sha2@0.10 serde_json@1
use hmac::{Hmac, Mac};
use sha2::Sha256;

const TOLERANCE_S: u64 = 300;
/// The latest valid created_at: the end of the year 9999.
const LATEST_S: f64 = 253_402_300_799.0;

/// Returns the event of a delivery, or the reason why the delivery cannot be trusted.
/// header: returns the value of a header, by its name in lower case.
/// body: the raw bytes, before any parsing.
/// secret: the whole signing secret, including svc_whsec_: std::env::var("SVC_WEBHOOK_SECRET").
/// now_s: SystemTime::now().duration_since(UNIX_EPOCH) in seconds.
pub fn verify_delivery<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    body: &[u8],
    secret: &str,
    now_s: u64,
) -> Result<serde_json::Value, &'static str> {
    let timestamp = header("x-svc-timestamp").unwrap_or("");
    if timestamp.len() > 12 || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("no timestamp");
    }
    let sent_s: u64 = timestamp.parse().map_err(|_| "no timestamp")?;
    // Svc asks receivers to refuse deliveries older than the tolerance. This verifier also refuses deliveries signed further ahead of this clock than
    // the tolerance.
    if now_s.abs_diff(sent_s) > TOLERANCE_S {
        return Err("too old, or ahead of this clock");
    }
    let given = header("x-svc-signature").and_then(|text| text.strip_prefix("v1=")).and_then(from_hex).ok_or("no signature")?;
    if secret.is_empty() {
        return Err("no secret");
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|_| "no secret")?;
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    // The comparison takes constant time, so that its duration reveals nothing about the right signature.
    mac.verify_slice(&given).map_err(|_| "wrong signature")?;
    let event: serde_json::Value = serde_json::from_slice(body).map_err(|_| "the body is not JSON")?;
    let (id, kind) = (event["id"].as_str().unwrap_or(""), event["type"].as_str().unwrap_or(""));
    if id.is_empty() || id.chars().count() > 96 || kind.is_empty() || !event["data"].is_object() {
        return Err("no event");
    }
    let seconds = event["created_at"].as_f64().unwrap_or(f64::NAN);
    if seconds.fract() != 0.0 || !(0.0..=LATEST_S).contains(&seconds) {
        return Err("no created_at");
    }
    if !event["revoked_event_id"].is_null() && !event["revoked_event_id"].is_string() {
        return Err("revoked_event_id is no text");
    }
    // The signature covers the body, but not the headers with id and type. So these headers must match the body.
    if id != header("x-svc-event-id").unwrap_or("") || kind != header("x-svc-event").unwrap_or("") {
        return Err("headers are not those of this body");
    }
    // The same event may arrive again: store its id as unique, respond 2xx to an event that you already have, and do nothing.
    // Events may arrive out of order: sort them by created_at. An event with revoked_event_id revokes that earlier event.
    Ok(event)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    (0..64).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
`

/** Python 3 code that verifies webhook deliveries, for users to copy. Needs no other packages. */
const verifierForPython = `import hashlib
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
    # The same event may arrive again: keep event["id"] where it is unique, answer 2xx to one that you have, and do nothing.
    # Events may come out of order: order them by event["created_at"]. One with revoked_event_id revokes that earlier event.
    return event
`

/** A Node module that verifies webhook deliveries, for users to copy. Needs no other packages. */
const verifierForNode = `import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceS = 300
// The end of the year 9999.
const latestS = 253402300799
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const isText = (value, longest = Infinity) => typeof value === 'string' && value !== '' && value.length <= longest
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The event of a delivery. Throws where it is not to be trusted.
 * headers: as Node gives them. body: the raw bytes as a Buffer, before anything parsed them.
 * secret: the whole signing secret, svc_whsec_ included: process.env.SVC_WEBHOOK_SECRET.
 */
export function verifyDelivery(headers, body, secret, nowS = Math.floor(Date.now() / 1000)) {
  const timestamp = headers['x-svc-timestamp'] ?? ''
  if (!/^\\d{1,12}$/.test(timestamp)) throw new Error('no timestamp')
  // Svc asks to refuse old ones. One as far ahead is refused by this verifier's own rule.
  if (Math.abs(nowS - Number(timestamp)) > toleranceS) throw new Error('too old, or ahead of this clock')
  const [, given] = /^v1=([0-9a-fA-F]{64})$/.exec(headers['x-svc-signature'] ?? '') ?? []
  if (!secret || given === undefined) throw new Error('no signature')
  const right = createHmac('sha256', secret).update(timestamp).update('.').update(body).digest()
  // In constant time.
  if (!timingSafeEqual(Buffer.from(given, 'hex'), right)) throw new Error('wrong signature')
  const event = JSON.parse(utf8.decode(body))
  if (!isObject(event) || !isText(event.id, 96) || !isText(event.type)) throw new Error('no event')
  const isTime = Number.isInteger(event.created_at) && event.created_at >= 0 && event.created_at <= latestS
  if (!isTime || !isObject(event.data)) throw new Error('no created_at or no data')
  if (event.revoked_event_id != null && typeof event.revoked_event_id !== 'string') throw new Error('revoked_event_id is no text')
  // The headers with id and type are not signed: the body is.
  if (event.id !== headers['x-svc-event-id'] || event.type !== headers['x-svc-event']) throw new Error('headers are not those of this body')
  // The same event may arrive again: keep event.id where it is unique, answer 2xx to one that you have, and do nothing.
  // Events may come out of order: order them by event.created_at. One with revoked_event_id revokes that earlier event.
  return event
}
`

/** Verifiers of webhook deliveries, ready to paste into a receiver. They do not contain the signing secret. */
export const verifiers = {
  node: { word: 'Node', text: verifierForNode },
  python: { word: 'Python', text: verifierForPython },
  go: { word: 'Go', text: verifierForGo },
  rust: { word: 'Rust', text: verifierForRust },
} as const
export type VerifierLanguage = keyof typeof verifiers
