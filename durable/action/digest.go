package action

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Digest returns the SHA-256 of an input in its canonical form, as hexadecimal digits. Two inputs
// that differ only in the order of fields, in spaces, in escapes, or in how a number is written have
// the same digest. Its error says that the input is no JSON object.
func Digest(input json.RawMessage) (string, error) {
	canonical, err := canonical(input)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum(canonical)
	return hex.EncodeToString(sum[:]), nil
}

func canonical(input json.RawMessage) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(input))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the input is not JSON: %w", err)
	}
	if _, object := v.(map[string]any); !object {
		return nil, errors.New("the input is no object")
	}
	return limit.Marshal(plain(v)) // fields are sorted by their names
}

// plain returns a value whose numbers are written in one way.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			v[name] = plain(field)
		}
	case []any:
		for i, element := range v {
			v[i] = plain(element)
		}
	case json.Number:
		return number(v)
	}
	return v
}

// costly is what a number costs that is left as it is written, see [limit.NumberCost].
const costly = 100

// number returns a number in one way: a whole number as its digits, and any other as the shortest
// text that is the same floating-point number. Whole numbers of any size keep all their digits,
// since they can be ids.
func number(n json.Number) any {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i
	}
	if limit.NumberCost(n.String()) > costly {
		return n
	}
	f, err := n.Float64()
	switch {
	case err != nil, !bytes.ContainsAny([]byte(n), ".eE"):
		return n
	case f == float64(int64(f)) && f < 1<<53 && f > -(1<<53):
		return int64(f)
	}
	return f
}
