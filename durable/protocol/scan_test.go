package protocol

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestLift(t *testing.T) {
	tests := []struct{ name, text, rest, value string }{
		{"in an object", `{"a":1, "init": {"x":2,"body":"b\"}" } }`, `{"a":1, "init": {"x":2,"body":0 } }`, `"b\"}"`},
		{"a body of another", `{"body":1,"init":{}}`, `{"body":1,"init":{}}`, ""},
		{"no object", `[1]`, `[1]`, ""},
		{"behind what is none", `{"a":nope,"init":{"body":1}}`, `{"a":nope,"init":{"body":1}}`, ""},
		{"of what has no end", `{"init":{"body":"x`, `{"init":{"body":"x`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if rest, value := lift(tt.text, "0", "init", "body"); rest != tt.rest || value != tt.value {
				t.Errorf("got %s and %s", rest, value)
			}
		})
	}
}

// FuzzScanner holds the scanner to encoding/json.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+3,true,null,"\u00e9\ud83d\ude00\ud800x\n"],"b":{}}`, `[1,]`, `{"a" 1}`, `"\x"`, "\"\t\"", `01`, `[`, ` 1 `, `"\u12g4"`, `nul`, `{"a":1}}`, `"\ud800\u0041"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &scanner{text: text}
		value, err := s.value()
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
