package protocol

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzScanner compares the scanner with encoding/json.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+3,true,null,"\u00e9\ud83d\ude00\ud800x\n"],"b":{}}`, `[1,]`, `{"a" 1}`, `"\x"`, "\"\t\"", `01`, `[`, ` 1 `, `"\u12g4"`, `nul`, `{"a":1}}`, `"\ud800\u0041"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &scanner{text: text}
		value, err := s.value()
		if errors.Is(err, errDeep) {
			return // encoding/json goes deeper
		}
		ok := err == nil && s.space() == 0 && s.at == len(text)
		if want := json.Valid([]byte(text)); ok != want {
			t.Fatalf("%q: got %v, want %v", text, err, want)
		}
		var want string
		if ok && value[0] == '"' && json.Unmarshal([]byte(value), &want) == nil && strings.ToValidUTF8(value, "") == value {
			if got := unquote(value); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	})
}
