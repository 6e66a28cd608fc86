package limit

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Marshal returns a value as the compact JSON that is measured, stored and sent. It does not escape
// <, > and &: as escapes they would take six bytes each, and a value within its limit would outgrow
// its row. The caller owns the bytes.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MustMarshal is [Marshal] for the project's own values, which always have a JSON form. It panics
// on any other value.
func MustMarshal(v any) json.RawMessage {
	b, err := Marshal(v)
	if err != nil {
		panic("limit: " + err.Error())
	}
	return b
}

// MarshalWithin is [Marshal] for a value of an author. Its error says if the JSON has more than
// most bytes.
func MarshalWithin(v any, most int) (json.RawMessage, error) {
	b, err := Marshal(v)
	if err == nil && len(b) > most {
		return nil, fmt.Errorf("%d bytes, at most %d", len(b), most)
	}
	return b, err
}
