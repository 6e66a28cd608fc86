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

func TestHideKeys(t *testing.T) {
	for text, want := range map[string]string{
		"Incorrect API key provided: hunter. You can find yours at https://x.test/keys9.": "Incorrect API key provided: [key]. You can find yours at https://x.test/keys9.",
		`the key "gsk_abcdefgh" is bad`:     `the key "[key]" is bad`,
		"invalid x-api-key":                 "invalid x-api-key",
		"no such key: ab*****yz, see below": "no such key: [key], see below",
		"token eyJhbGciOiJIUzI1NiJ9.e30.x":  "token [key]",
		"Your trial has ended: pay.":        "Your trial has ended: pay.",
		"User not found.":                   "User not found.",
		"expired on 9 May (code 401)":       "expired on 9 May (code 401)",
	} {
		if got := hideKeys(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
