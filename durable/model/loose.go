package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
)

// This file reads what providers send without insisting on the types of its fields. A field that the
// answer does not need must not end it, and one that it needs is read in every form that has one
// meaning: a number as a text, a text as a number, one element in place of a list.

// Decode reads JSON into v. A value of another type than its field has is skipped. The error says that
// data is not JSON.
func Decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if mismatch := new(json.UnmarshalTypeError); errors.As(err, &mismatch) {
		return nil
	}
	return err
}

// Word is a text. A number is read as its digits, and everything else as "".
type Word string

// UnmarshalJSON reads any value.
func (w *Word) UnmarshalJSON(data []byte) error {
	var s string
	switch {
	case json.Unmarshal(data, &s) == nil:
	case len(data) > 0 && (data[0] == '-' || '0' <= data[0] && data[0] <= '9'):
		s = string(data)
	}
	*w = Word(s)
	return nil
}

// Number is a number. A text is read as the number that it holds, and everything else as 0.
type Number float64

// UnmarshalJSON reads any value.
func (n *Number) UnmarshalJSON(data []byte) error {
	f, _ := strconv.ParseFloat(string(bytes.Trim(data, `" `)), 64)
	*n = Number(f)
	return nil
}

// List is a list. A single value is read as a list of one, and an element that cannot be read is empty.
type List[T any] []T

// UnmarshalJSON reads any value.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	all := []json.RawMessage{data}
	switch data = bytes.TrimSpace(data); {
	case len(data) == 0, data[0] != '[' && data[0] != '{':
		return nil
	case data[0] == '[':
		all = nil
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
	}
	*l = make([]T, len(all))
	for i := range all {
		_ = Decode(all[i], &(*l)[i]) // it is JSON, because the list is
	}
	return nil
}
