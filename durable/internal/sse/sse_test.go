package sse_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/sse"
)

// TestLines checks the lines of a stream, in whatever pieces it comes.
func TestLines(t *testing.T) {
	for name, test := range map[string]struct {
		stream string
		want   []string
	}{
		"line feeds":                  {"a: 1\nb: 2\n\n", []string{"a: 1", "b: 2", ""}},
		"carriage returns":            {"a: 1\rb: 2\r\r", []string{"a: 1", "b: 2", ""}},
		"both":                        {"a: 1\r\nb: 2\r\n\r\n", []string{"a: 1", "b: 2", ""}},
		"the mark of the byte order":  {"\ufeffdata: 1\n\ufeffdata: 2\n", []string{"data: 1", "\ufeffdata: 2"}},
		"a line that is not complete": {"a: 1\nb", []string{"a: 1"}},
		"nothing":                     {"", nil},
	} {
		for size := 1; size <= len(test.stream)+1; size++ {
			var got []string
			l := sse.Lines{Most: 100}
			for piece := range slices.Chunk([]byte(test.stream), size) {
				if err := l.Feed(piece, func(line []byte) error { got = append(got, string(line)); return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, %d bytes at a time: got %q, want %q", name, size, got, test.want)
			}
		}
	}
}

// TestLongLine checks that a line of the most bytes is taken and a longer one is not, complete or not.
func TestLongLine(t *testing.T) {
	for _, test := range []struct {
		stream string
		want   error
	}{
		{strings.Repeat("x", 10) + "\n", nil},
		{strings.Repeat("x", 11), sse.ErrLong},
		{strings.Repeat("x", 11) + "\n", sse.ErrLong},
		{strings.Repeat("x\n", 100), nil},
	} {
		l := sse.Lines{Most: 10}
		if err := l.Feed([]byte(test.stream), func([]byte) error { return nil }); !errors.Is(err, test.want) {
			t.Errorf("%q: got %v, want %v", test.stream, err, test.want)
		}
	}
}

// TestEnd checks the line that is open at the end of a stream, and what ends a stream early.
func TestEnd(t *testing.T) {
	l, enough := sse.Lines{Most: 10}, errors.New("enough")
	if err := l.Feed([]byte("a\nb\nc"), func(line []byte) error {
		if string(line) == "b" {
			return enough
		}
		return nil
	}); err != enough {
		t.Errorf("got %v", err)
	}
	l = sse.Lines{Most: 10}
	_ = l.Feed([]byte("a\nbc"), func([]byte) error { return nil })
	got := string(l.Open())
	_ = l.End(func(line []byte) error { got += " " + string(line); return nil })
	if got != "bc bc" || len(l.Open()) != 0 {
		t.Errorf("got %q", got)
	}
}

// TestField checks names and values.
func TestField(t *testing.T) {
	for line, want := range map[string][2]string{
		"data: x": {"data", "x"}, "data:x": {"data", "x"}, "data:  x": {"data", " x"}, "data": {"data", ""}, ": a comment": {"", "a comment"}, "": {"", ""}, "a:b:c": {"a", "b:c"},
	} {
		if name, value := sse.Field([]byte(line)); name != want[0] || string(value) != want[1] {
			t.Errorf("%q: got %q and %q, want %q", line, name, value, want)
		}
	}
}
