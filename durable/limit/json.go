package limit

import (
	"bytes"
	"encoding/json"
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
