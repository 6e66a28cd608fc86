package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// scale is how much of a JSON value is kept: bytes of a string, elements of a list, and fields of
// an object.
type scale struct{ text, items, fields int }

// scales are tried one after another, until the result is small enough.
var scales = []scale{{2048, 64, 256}, {256, 16, 256}, {32, 4, 64}, {8, 1, 16}}

// shorten returns a JSON value of the same shape that has at most limit bytes. It cuts strings off
// with a note, and ends lists and objects early. If the result is still too long, a short note
// replaces the whole value.
func shorten(raw json.RawMessage, limit int) json.RawMessage {
	for _, s := range scales {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		out, err := s.appendValue(nil, d)
		if err != nil {
			break
		}
		if len(out) <= limit {
			return out
		}
	}
	return AppendQuoted(nil, fmt.Sprintf("(%d bytes were left out here)", len(raw)))
}

// appendValue appends the next value of a decoder, shortened.
func (s scale) appendValue(out []byte, d *json.Decoder) ([]byte, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		return s.appendElements(append(out, byte(t)), d, t == '{')
	case string:
		return AppendQuoted(out, CutOff(t, s.text)), nil
	}
	return append(out, limit.MustMarshal(token)...), nil
}

// appendElements appends the elements of a list or the fields of an object, and the closing
// bracket.
func (s scale) appendElements(out []byte, d *json.Decoder, isObject bool) ([]byte, error) {
	most, end := s.items, byte(']')
	if isObject {
		most, end = s.fields, '}'
	}
	for n := 0; d.More(); n++ {
		kept := out
		if n > 0 {
			out = append(out, ',')
		}
		var err error
		if isObject {
			if out, err = s.appendValue(out, d); err != nil { // the field name
				return nil, err
			}
			out = append(out, ':')
		}
		if out, err = s.appendValue(out, d); err != nil {
			return nil, err
		}
		if n >= most {
			out = kept
		}
	}
	_, err := d.Token()
	return append(out, end), err
}

// CutOff cuts a text that is too long, between runes, and adds a note.
func CutOff(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > 0 && end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (cut off here, %d bytes in all)", text[:end], len(text))
}

// CutOffQuoted is [CutOff] with a limit on the size of the text as JSON.
func CutOffQuoted(text string, limit int) string {
	if 6*len(text) <= limit {
		return text
	}
	size := 0
	for at, r := range text {
		if size += quotedSize(r, text[at]); size > limit {
			return fmt.Sprintf("%s… (cut off here, %d bytes in all)", text[:at], len(text))
		}
	}
	return text
}

// quotedSize returns the most bytes that a rune takes in JSON.
func quotedSize(r rune, first byte) int {
	switch {
	case first == '"' || first == '\\':
		return 2
	case first < 0x20, r == utf8.RuneError, r == '\u2028', r == '\u2029':
		return 6
	}
	return utf8.RuneLen(r)
}

// Check says why a text is not JSON that may be shown. A client posts the text back in a frame,
// where it is nested deeper.
func Check(text []byte) error {
	s := &scanner{text: string(text), depth: limit.Depth / 2}
	if _, err := s.value(); err != nil {
		return err
	}
	return s.end()
}
