/** A verifier of deliveries for Go, with its standard library only. */
export const verifierForGo = `package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const toleranceS = 300

// Event is what a delivery says.
type Event struct {
	ID             string          \`json:"id"\`
	Type           string          \`json:"type"\`
	CreatedAt      int64           \`json:"created_at"\`
	RevokedEventID *string         \`json:"revoked_event_id"\`
	Data           json.RawMessage \`json:"data"\`
}

// VerifyDelivery gives the event of a delivery, or an error where it is not to be trusted.
// body: the raw bytes, from io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)), before anything parsed them.
// secret: the whole signing secret, svc_whsec_ included: os.Getenv("SVC_WEBHOOK_SECRET").
func VerifyDelivery(headers http.Header, body []byte, secret string, now time.Time) (*Event, error) {
	timestamp := headers.Get("X-Svc-Timestamp")
	sentS, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, errors.New("no timestamp")
	}
	// Svc asks to refuse old ones. One as far ahead is refused by this verifier's own rule.
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
	// In constant time.
	if !hmac.Equal(given, mac.Sum(nil)) {
		return nil, errors.New("wrong signature")
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, err
	}
	// The headers with id and type are not signed: the body is.
	if event.ID != headers.Get("X-Svc-Event-ID") || event.Type != headers.Get("X-Svc-Event") {
		return nil, errors.New("headers are not those of this body")
	}
	// The same event may come again: keep event.ID where it is unique, answer 2xx to one that you have, and do nothing.
	// Events may come out of order: order them by event.CreatedAt. One with a RevokedEventID takes that event back.
	return &event, nil
}
`
