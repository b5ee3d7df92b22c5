/** A verifier of deliveries for Rust, with the crates `hmac`, `sha2` and `serde_json`. */
export const verifierForRust = `// cargo add hmac@0.12 sha2@0.10 serde_json@1
use hmac::{Hmac, Mac};
use sha2::Sha256;

const TOLERANCE_S: u64 = 300;
/// The end of the year 9999.
const LATEST_S: f64 = 253_402_300_799.0;

/// The event of a delivery, or why it is not to be trusted.
/// header: finds a header by its name in lower case.
/// body: the raw bytes, before anything parsed them.
/// secret: the whole signing secret, svc_whsec_ included: std::env::var("SVC_WEBHOOK_SECRET").
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
    // Svc asks to refuse old ones. One as far ahead is refused by this verifier's own rule.
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
    // In constant time.
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
    // The headers with id and type are not signed: the body is.
    if id != header("x-svc-event-id").unwrap_or("") || kind != header("x-svc-event").unwrap_or("") {
        return Err("headers are not those of this body");
    }
    // The same event may come again: keep its id where it is unique, answer 2xx to one that you have, and do nothing.
    // Events may come out of order: order them by created_at. One with revoked_event_id takes that event back.
    Ok(event)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    (0..64).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
`
