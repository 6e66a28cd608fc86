package mcp

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	v := parsed(t, ` {"a" : [1, -2.5e1, true, null, "x\u0041\n"], "b": {"c": {}}, "": false} `)
	if got := v.Get("a").Items(); len(got) != 5 || got[4].Text() != "xA\n" || !got[2].Bool() || !got[3].IsNull() {
		t.Errorf("got %+v", got)
	}
	if n, ok := v.Get("a").Items()[1].Integer(); !ok || n != -25 {
		t.Errorf("got %d, %v", n, ok)
	}
	if !v.Get("b").hasObject("c") || v.Get("b").Get("d").Exists() || v.isTrue("") {
		t.Errorf("got %+v", v)
	}
	if got := v.Get("a").JSON(); got != `[1, -2.5e1, true, null, "x\u0041\n"]` {
		t.Errorf("got %s", got)
	}
}

func TestParseRefuses(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	ones := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	var names strings.Builder
	for i := range 20 {
		names.WriteString(`"n` + strconv.Itoa(i) + `":1,`)
	}
	for text, want := range map[string]error{
		"": ErrJSON, " ": ErrJSON, "{": ErrJSON, "[1,]": ErrJSON, `{"a":1,}`: ErrJSON, `{"a" 1}`: ErrJSON, "{a:1}": ErrJSON, "1 2": ErrJSON,
		"01": ErrJSON, "-": ErrJSON, "1.": ErrJSON, "1e": ErrJSON, ".5": ErrJSON, "+1": ErrJSON, "nul": ErrJSON, "NaN": ErrJSON,
		"\"a\nb\"": ErrJSON, `"\x"`: ErrJSON, `"\u00g0"`: ErrJSON, `"\u12"`: ErrJSON, `"a`: ErrJSON, `"\`: ErrJSON,
		"\"\xff\"": ErrJSON, "1\x00": ErrJSON, "\x00": ErrJSON, "\ufeff1": ErrJSON,
		`{"a":1,"a":1}`: ErrDuplicate, `{"a":1,"\u0061":1}`: ErrDuplicate, "{" + names.String() + `"n3":1}`: ErrDuplicate,
		"{" + names.String() + `"n19":1}`: ErrDuplicate,
		nested(MaxDepth + 1):              ErrTooDeep, nested(100_000): ErrTooDeep, ones(MaxValues): ErrTooMany,
		`"` + strings.Repeat("a", MaxMessage) + `"`: ErrTooLarge,
	} {
		if v, err := Parse([]byte(text)); err != want || v.Exists() {
			t.Errorf("%.60q: got %v, %v, want %v", text, v.Exists(), err, want)
		}
	}
	for _, text := range []string{nested(MaxDepth), ones(MaxValues - 1), "{" + names.String() + `"n20":1}`} {
		if _, err := Parse([]byte(text)); err != nil {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}

func TestInteger(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "1e3": "1000", "1.0": "1", "9007199254740991": "9007199254740991", "-9007199254740991": "-9007199254740991",
		"9007199254740992": "no", "1.5": "no", "1e400": "no", `"1"`: "no", "true": "no", "null": "no",
	} {
		got := "no"
		if n, ok := parsed(t, text).Integer(); ok {
			got = strconv.FormatInt(n, 10)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if _, ok := (Value{}).Integer(); ok {
		t.Error("a missing value is an integer")
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"requests.txt", "notes.txt"} {
		for _, line := range lines(f, file) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte(`[1e-2,"\ud83d\ude00\ud800",{"":{}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err == ErrJSON != !json.Valid(data) && err != ErrDuplicate && err != ErrTooDeep && err != ErrTooMany && err != ErrTooLarge {
			// encoding/json takes texts that are not UTF-8
			if err != ErrJSON || strings.ToValidUTF8(string(data), "") == string(data) {
				t.Fatalf("%q: got %v, and encoding/json says %v", data, err, json.Valid(data))
			}
		}
		if err == nil {
			compare(t, v)
		}
	})
}

// compare checks a value against encoding/json.
func compare(t *testing.T, v Value) {
	var want any
	if err := json.Unmarshal([]byte(v.JSON()), &want); err != nil {
		if _, ok := v.Number(); !ok && !v.IsObject() && !v.IsList() {
			return // a number that is too large
		}
		return
	}
	switch want := want.(type) {
	case string:
		if v.Text() != want || !v.IsText() {
			t.Fatalf("got %q, want %q", v.Text(), want)
		}
	case float64:
		if got, ok := v.Number(); !ok || got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
	case []any:
		if len(v.Items()) != len(want) {
			t.Fatalf("got %d elements, want %d", len(v.Items()), len(want))
		}
	case map[string]any:
		if len(v.Names()) != len(want) {
			t.Fatalf("got %d fields, want %d", len(v.Names()), len(want))
		}
	}
	for _, item := range v.Items() {
		compare(t, item)
	}
}
