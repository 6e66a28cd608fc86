package codemode

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name, value string
		most        int
		want        string
	}{
		{"what fits", `{"a": [1, 2]}`, 13, `{"a": [1, 2]}`},
		{"white space goes first", "{\n  \"a\": [1, 2]\n}", 11, `{"a":[1,2]}`},
		{"what is no JSON", `{"a": `, 40, `"{\"a\": "`},
		{"nothing", ``, 40, `""`},
		{"what is not UTF-8", "\"a\xff\"", 40, `"a�"`},

		{"a text", `"` + long + `"`, 40, `"xxxxxxxxxxxxxxxxx… 83 more characters"`},
		{"a text that was larger", `"` + strings.Repeat(long, 200) + `"`, 40, `"xxxxxxxxxxxxxx… 19,986 more characters"`},
		{"characters of three bytes", `"` + strings.Repeat("語", 100) + `"`, 40, `"` + strings.Repeat("語", 17) + `… 83 more characters"`},
		{"three bytes that fit", `"` + strings.Repeat("語", 38) + `"`, 40, `"` + strings.Repeat("語", 38) + `"`},
		{"escapes", `"` + strings.Repeat(`\n`, 50) + `"`, 40, `"` + strings.Repeat(`\n`, 9) + `… 41 more characters"`},
		{"a pair of escapes is one character", `"` + strings.Repeat(`\ud83d\ude00`, 10) + `"`, 41, `"\ud83d\ude00… 9 more characters"`},
		{"half a pair", `"` + strings.Repeat(`\ud83d`, 20) + `"`, 41, `"\ud83d\ud83d\ud83d… 17 more characters"`},
		{"a text in a small place", `"` + long + `"`, 20, `"… 100 characters"`},
		{"a text in a smaller place", `"` + long + `"`, 10, `"…"`},
		{"a text in no place", `"` + long + `"`, 2, `""`},
		{"less than no place", `"` + long + `"`, -5, `""`},
		{"a number", `123456789`, 5, `"…"`},
		{"a number in no place", `123456789`, 2, `""`},

		{"a list", `[` + strings.Repeat(`12345678,`, 99) + `1]`, 60, `[12345678,12345678,12345678,"… 97 more of 100 items"]`},
		{"a list of long texts", `["` + long + `","` + long + `"]`, 102, `["xxxxxxxxxxxxxxxxxxxxxxxxxx… 74 more characters","xxxxxxxxxxxxxxxxxxxxxxxxxx… 74 more characters"]`},
		{"what is short is whole", `["` + long + `",1,"` + long + `"]`, 104, `["xxxxxxxxxxxxxxxxxxxxxxxxxx… 74 more characters",1,"xxxxxxxxxxxxxxxxxxxxxxxxxx… 74 more characters"]`},
		{"a list in a small place", `[` + strings.Repeat(`12345678,`, 99) + `1]`, 30, `"… a list of 100 items"`},
		{"an object", `{"a":"` + long + `","b":{"c":"` + long + `"},"d":true}`, 110, `{"a":"xxxxxxxxxxxxxxxxxxxxx… 79 more characters","b":{"c":"xxxxxxxxxxxxxx… 86 more characters"},"d":true}`},
		{"fields", `{"a":"` + long + `","b":"` + long + `","c":"` + long + `"}`, 70, `{"a":"xxxxxxxxxxxxxxxx… 84 more characters","…":"2 more of 3 fields"}`},
		{"an object in a small place", `{"` + long + `":"` + long + `"}`, 40, `"… an object of 1 field"`},
		{"empty ones", `[{},[],"",` + long[:0] + `"` + long + `"]`, 40, `[{},[],"","… 1 more of 4 items"]`},
		{"very deep", strings.Repeat(`[`, 200) + strings.Repeat(`]`, 200), 80, strings.Repeat(`[`, cutDepth) + `"… a list of 1 item"` + strings.Repeat(`]`, cutDepth)},
		{"deeper than JSON may be", strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000), 30, `"[[[[… 39,996 more characters"`},
		{"a comma and a bracket in texts", `["],[\"` + long + `","}"]`, 60, `["],[\"xxxxxxxxxxxxxxxxxxxxxxxxx… 75 more characters","}"]`},
	} {
		got := Cut(json.RawMessage(c.value), c.most)
		if string(got) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		checkCut(t, got, c.most)
	}
}

// checkCut tests what holds for every value.
func checkCut(t *testing.T, got json.RawMessage, most int) {
	t.Helper()
	if n := utf8.RuneCount(got); n > max(most, leastCut) || !json.Valid(got) || !utf8.Valid(got) {
		t.Errorf("%d of %d characters, valid: %v: %.200s", n, most, json.Valid(got), got)
	}
}

// TestCutRecords shows what a model is told of a long list of records: whole records as far as they fit.
func TestCutRecords(t *testing.T) {
	value := json.RawMessage(`{"items":[` + strings.Repeat(`{"id":1,"title":"a title of some length"},`, 4_999) + `{}],"total":5000}`)
	got := string(Cut(value, 24_000))
	const marker = `,"… 4,430 more of 5,000 items"],"total":5000}`
	if whole := strings.Count(got, `{"id":1,"title":"a title of some length"}`); whole != 570 || !strings.HasSuffix(got, marker) {
		t.Errorf("%d whole records of %d characters, and %s", whole, len(got), got[len(got)-80:])
	}
}

// TestCutLarge has values of 8 MB, which would take hours if something were looked at for each member.
func TestCutLarge(t *testing.T) {
	const size = 8 << 20
	for name, value := range map[string]string{
		"a text":  `"` + strings.Repeat("x", size) + `"`,
		"numbers": `[` + strings.Repeat("1,", size/2) + `1]`,
		"objects": `[` + strings.Repeat(`{"a":[1]},`, size/10) + `{}]`,
		"fields":  `{` + strings.Repeat(`"a":1,`, size/6) + `"b":[]}`,
		"a nest":  strings.Repeat(`{"a":[`, 1_000) + `"` + strings.Repeat("x", size) + `"` + strings.Repeat(`]}`, 1_000),
		"no JSON": strings.Repeat("[", size),
	} {
		got := Cut(json.RawMessage(value), 24_000)
		checkCut(t, got, 24_000)
		if !strings.Contains(string(got), cutMark) {
			t.Errorf("%s: nothing is said to be missing: %.100s", name, got)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, value := range []string{`{"a":["b",1,null,{"c":"d"}],"e":"\ud83d\ude00\n"}`, `[[[["語"]]]]`, "{", "\"\xff\""} {
		f.Add([]byte(value), 20)
		f.Add([]byte(`[`+strings.Repeat(value+`,`, 40)+`0]`), 300)
	}
	f.Fuzz(func(t *testing.T, value []byte, most int) {
		checkCut(t, Cut(value, most), most)
	})
}

func TestKey(t *testing.T) {
	if got, want := Key("web_search", json.RawMessage(`{"query":"a"}`)), "code/web_search#67478f6d095c4a6e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
