package model

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"fine":                         "fine",
		" two\n lines ":                "two lines",
		"key: 'sk-abc' is bad":         "key: [key] is bad",
		"sent bearer: abc.def to them": "sent bearer: [key] to them",
		"task-force":                   "task-force",
		"bad \xff byte":                "bad \ufffd byte",
		"":                             "",
	} {
		if got := Quote(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{strings.Repeat("é", 50), strings.Repeat("🙂", 30), "one two three four five six seven"} {
		for limit := 3; limit < len(text); limit++ {
			got := Truncate(text, limit)
			if len(got) > limit || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
				t.Errorf("Truncate(%q, %d) is %q", text, limit, got)
			}
		}
		if got := Truncate(text, len(text)); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
