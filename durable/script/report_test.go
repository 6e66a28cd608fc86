package script

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// report returns the text of a report of parts that are JSON already.
func report(state, calls, lines, words string) string {
	return `{"state":` + state + `,"calls":[` + calls + `],"lines":[` + lines + `],"words":` + words + `}`
}

// called returns the text of calls from one number on.
func called(from, n int, name, input string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"number":%d,"name":%s,"json":%s}`, from+i, name, input))
	}
	return strings.Join(all, ",")
}

// quoted returns a text of so many units.
func quoted(n int) string { return `"` + strings.Repeat("x", n) + `"` }

func lines(n int) string { return strings.TrimSuffix(strings.Repeat(`"x",`, n), ",") }

// TestReports has reports at each limit and beyond it. wasm/quickjs/testdata/reports.json has more, for
// every host.
func TestReports(t *testing.T) {
	get := called(1, 1, `"get"`, `"{}"`)
	for _, test := range []struct {
		name    string
		reports []string // of one box: all but the last are taken
		ok      bool
	}{
		{"nothing", []string{report("0", "", "", `""`)}, true},
		{"all of it", []string{report("0", get, lines(2), `""`)}, true},
		{"done", []string{report("1", get, lines(2), `""`)}, true},
		{"failed", []string{report("2", "", "", `"no"`)}, true},
		{"spent memory", []string{report("4", "", "", `"memory"`)}, true},
		{"spent stack", []string{report("4", "", "", `"stack"`)}, true},
		{"spent work", []string{report("4", "", "", `"work"`)}, false},
		{"gone", []string{report("3", "", "", `""`)}, false},
		{"another state", []string{report("5", "", "", `""`)}, false},
		{"a state of two digits", []string{report("00", "", "", `""`)}, false},
		{"a state as a text", []string{report(`"0"`, "", "", `""`)}, false},
		{"words of code that waits", []string{report("0", "", "", `"x"`)}, false},
		{"words of code that is done", []string{report("1", "", "", `"x"`)}, false},
		{"more behind it", []string{report("0", "", "", `""`) + " "}, false},
		{"less", []string{strings.TrimSuffix(report("0", "", "", `""`), "}")}, false},
		{"no UTF-8", []string{report("2", "", "", "\"\xff\"")}, false},
		{"a surrogate in UTF-8", []string{report("2", "", "", "\"\xed\xa0\x80\"")}, false},

		{"numbers go on", []string{report("0", get, "", `""`), report("0", called(2, 3, `""`, `""`), "", `""`)}, true},
		{"numbers begin again", []string{report("0", get, "", `""`), report("0", get, "", `""`)}, false},
		{"numbers leave one out", []string{report("0", called(2, 1, `""`, `""`), "", `""`)}, false},
		{"a number with a zero before it", []string{report("0", strings.Replace(get, "1", "01", 1), "", `""`)}, false},
		{"a list with a comma behind", []string{report("0", get+",", "", `""`)}, false},
		{"an input that is no text", []string{report("0", called(1, 1, `"get"`, `{}`), "", `""`)}, false},
		{"as many calls as there may be", []string{report("0", called(1, mostCalls, `""`, `""`), "", `""`)}, true},
		{"a call more", []string{report("0", called(1, mostCalls, `""`, `""`), "", `""`), report("0", called(mostCalls+1, 1, `""`, `""`), "", `""`)}, false},
		{"as many lines as there may be", []string{report("0", "", lines(100), `""`), report("0", "", lines(mostLines-100), `""`)}, true},
		{"a line more", []string{report("0", "", lines(100), `""`), report("0", "", lines(mostLines-99), `""`)}, false},

		{"the longest name", []string{report("0", called(1, 1, quoted(mostName), `""`), "", `""`)}, true},
		{"a longer name", []string{report("0", called(1, 1, quoted(mostName+1), `""`), "", `""`)}, false},
		{"the longest input", []string{report("0", called(1, 1, `""`, quoted(mostInput)), "", `""`)}, true},
		{"a longer input", []string{report("0", called(1, 1, `""`, quoted(mostInput+1)), "", `""`)}, false},
		{"the longest line", []string{report("0", "", quoted(mostLine), `""`)}, true},
		{"a longer line", []string{report("0", "", quoted(mostLine+1), `""`)}, false},
		{"the longest line, in escapes", []string{report("0", "", `"`+strings.Repeat(`\u0000`, mostLine)+`"`, `""`)}, true},
		{"the longest line, in pairs", []string{report("0", "", `"`+strings.Repeat("𝄞", mostLine/2)+`"`, `""`)}, true},
		{"a longer line, in pairs", []string{report("0", "", `"`+strings.Repeat("𝄞", mostLine/2+1)+`"`, `""`)}, false},
		{"the longest words", []string{report("2", "", "", quoted(mostWords))}, true},
		{"longer words", []string{report("2", "", "", quoted(mostWords+1))}, false},
		{"the longest report", []string{longest(0)}, true},
		{"a longer report", []string{longest(1)}, false},
	} {
		var box Reports
		for i, text := range test.reports {
			want := test.ok || i < len(test.reports)-1
			if r, ok := box.Read(text); ok != want {
				t.Errorf("%s, report %d: got %v, %.200v, want %v", test.name, i+1, ok, r, want)
			}
		}
	}
}

// longest returns a report of the greatest length, or a byte longer, in which everything else is
// within its limit.
func longest(more int) string {
	with := func(last int) string {
		calls := make([]string, 9)
		for i := range calls {
			size := 920_000
			if i == 8 {
				size = last
			}
			calls[i] = called(i+1, 1, `""`, quoted(size))
		}
		return report("0", strings.Join(calls, ","), "", `""`)
	}
	return with(MostReport + more - len(with(0)))
}

// TestReadValue has a value at its limit and beyond it.
func TestReadValue(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "{": true, "\xff": false, "\xed\xa0\x80": false,
		strings.Repeat("x", MostValue): true, strings.Repeat("x", MostValue+1): false,
	} {
		if got := ReadValue(text); got != want {
			t.Errorf("%d bytes, %.9q: got %v, want %v", len(text), text, got, want)
		}
	}
}

// FuzzReport shows that whatever text a box reports, what is taken of it is within the limits, is
// what a JSON decoder reads in it, and takes three times its bytes at most.
func FuzzReport(f *testing.F) {
	for _, seed := range []string{
		report("0", called(1, 2, `"get"`, `"{}"`), `"a"`, `""`), report("0", called(1, 1, `"é"`, `"\"\ud800\""`), "", `""`),
		report("2", "", "", `"\ud834\udd1e\\\""`), report("4", "", "", `"memory"`), report("1", "", `"",""`, `""`),
		`{"State":9}`, `{"state":"0","calls":{"length":9}}`, `[[[[`, `"`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var box Reports
		r, ok := box.Read(text)
		if !ok {
			return
		}
		var plain Result
		if err := json.Unmarshal([]byte(text), &plain); err != nil || !utf8.ValidString(text) {
			t.Fatalf("%q is taken, and is no JSON: %v", text, err)
		}
		if string(plain.Encode()) != string(r.Encode()) || len(r.Encode()) > 3*len(text) {
			t.Errorf("%q: got %+v, want %+v", text, r, plain)
		}
		if _, err := DecodeResult(r.Encode()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for i, call := range r.Calls {
			if call.Number != int64(i+1) || units(call.Name) > mostName || units(call.JSON) > mostInput {
				t.Errorf("got %+v as call %d", call, i+1)
			}
		}
		if r.State == Gone || r.Words != "" && r.State != Failed && r.State != Spent {
			t.Errorf("%q: got %+v", text, r)
		}
	})
}
