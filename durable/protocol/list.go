package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// decodeList splits a JSON array into its elements. It stops at the limit: an array
// of a million small numbers would take fifty times its size as a Go slice, in an
// instance that others share.
func decodeList(raw json.RawMessage, limit int) ([]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('[') {
		return nil, errors.New("not a list")
	}
	list := []json.RawMessage{}
	for d.More() {
		if len(list) == limit {
			return nil, fmt.Errorf("more than %d elements", limit)
		}
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return nil, fmt.Errorf("element %d: %w", len(list), err)
		}
		list = append(list, element)
	}
	return list, nil
}
