/** A verifier of deliveries for Go, with its standard library only. */
export const verifierForGo = `package receiver

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
	// The end of the year 9999.
	latestS = 253402300799
)

// Event is what a delivery says.
type Event struct {
	ID             string
	Type           string
	CreatedAt      int64
	RevokedEventID *string
	Data           json.RawMessage
}

// VerifyDelivery gives the event of a delivery, or an error where it is not to be trusted.
// body: the raw bytes, from io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)), before anything parsed them.
// secret: the whole signing secret, svc_whsec_ included: os.Getenv("SVC_WEBHOOK_SECRET").
func VerifyDelivery(headers http.Header, body []byte, secret string, now time.Time) (*Event, error) {
	timestamp := headers.Get("X-Svc-Timestamp")
	sentS, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || len(timestamp) > 12 {
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
	event, err := readEvent(body)
	if err != nil {
		return nil, err
	}
	// The headers with id and type are not signed: the body is.
	if event.ID != headers.Get("X-Svc-Event-ID") || event.Type != headers.Get("X-Svc-Event") {
		return nil, errors.New("headers are not those of this body")
	}
	// The same event may come again: keep event.ID where it is unique, answer 2xx to one that you have, and do nothing.
	// Events may come out of order: order them by event.CreatedAt. One with a RevokedEventID takes that event back.
	return event, nil
}

func readEvent(body []byte) (*Event, error) {
	// Not a struct, which would take names in any case.
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
