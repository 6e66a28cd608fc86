package protocol

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestShorten checks values at each scale, and that what is left out is no part of what is left.
func TestShorten(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"` + strings.Repeat("n", i%7) + string(rune('a'+i%26)) + `":[` + many(i%3, "1") + `]`)
		}
		return "{" + b.String()[1:] + "}"
	}
	for name, tt := range map[string]struct {
		raw, want string
		limit     int
	}{
		"what fits":             {`{"a": [1, -2.50e3, true, null, "b\u0041\n"]}`, `{"a":[1,-2.50e3,true,null,"bA\n"]}`, 100},
		"an empty value":        {` [ ] `, `[]`, 10},
		"elements":              {"[" + many(100, "1") + "]", "[" + many(64, "1") + "]", 150},
		"fewer elements":        {"[" + many(100, "1") + "]", "[" + many(16, "1") + "]", 50},
		"the fewest":            {"[" + many(100, "[[1,2],3]") + "]", "[[[1]]]", 10},
		"too long for all":      {"[" + many(100, "1") + "]", `"(201 bytes were left out here)"`, 2},
		"fields":                {fields(300), fields(256), 5_000},
		"fewer fields":          {fields(300), fields(64), 800},
		"a text":                {`"` + strings.Repeat("é", 200) + `"`, `"` + strings.Repeat("é", 128) + `… (cut off here, 400 bytes in all)"`, 300},
		"a long name":           {`{"` + strings.Repeat("x", 300) + `":1}`, `{"` + strings.Repeat("x", 32) + `… (cut off here, 300 bytes in all)":1}`, 80},
		"no JSON":               {`[1,`, `"(3 bytes were left out here)"`, 10},
		"no JSON where it cuts": {"[" + many(100, "1") + ",}", `"(202 bytes were left out here)"`, 150},
		"deeper than a frame":   {strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000), `"(4000 bytes were left out here)"`, 100},
	} {
		if got := string(shorten(json.RawMessage(tt.raw), tt.limit)); got != tt.want {
			t.Errorf("%s: got %.300s, want %.300s", name, got, tt.want)
		}
	}
}

// TestShortenScansWhatItLeavesOut has values that would be decoded for seconds, once for each scale and field.
func TestShortenScansWhatItLeavesOut(t *testing.T) {
	for _, one := range []string{"1,", "[],", `{"a":1},`, "[[[[[[]]]]]],", `"",`} {
		s := shortener{scale: scales[3], limit: 200, in: scanner{text: "[" + strings.Repeat(one, 256<<10/len(one)) + "1]"}}
		if err := s.value(); err != nil || len(s.out) > 200 || s.in.at != len(s.in.text) {
			t.Errorf("%s: got %.100s, %v", one, s.out, err)
		}
		if cap(s.out) > 1<<10 {
			t.Errorf("%s: %d bytes were written", one, cap(s.out))
		}
	}
}
