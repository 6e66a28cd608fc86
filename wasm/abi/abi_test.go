package abi

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/heap"
)

func TestRoundTrip(t *testing.T) {
	for i, e := range events {
		o := Occurrence{At: int64(i) * 1_000_000_000_000, Event: e}
		check(t, o, o.Encode(), DecodeOccurrence)
	}
	for _, r := range replies() {
		check(t, r, r.Encode(), DecodeReply)
	}
	for _, s := range statements() {
		check(t, s, s.Encode(), DecodeStatement)
	}
	for _, r := range results() {
		check(t, r, r.Encode(), DecodeResult)
	}
}

// check decodes the bytes, compares, and shows that no prefix of them is enough and that nothing
// may follow.
func check[T any](t *testing.T, want T, data []byte, decode func([]byte) (T, error)) {
	t.Helper()
	got, err := decode(data)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for n := range data {
		if _, err := decode(data[:n]); !errors.Is(err, ErrMalformed) {
			t.Errorf("%T: the first %d of %d bytes: got error %v, want ErrMalformed", want, n, len(data), err)
		}
	}
	if _, err := decode(append(data[:len(data):len(data)], 0xc0)); !errors.Is(err, ErrMalformed) {
		t.Errorf("%T with a byte behind: got error %v, want ErrMalformed", want, err)
	}
}

func TestArguments(t *testing.T) {
	s := Statement{SQL: "x", Args: []any{3, true, false, []byte(nil), 2.0}}
	got, err := DecodeStatement(s.Encode())
	want := []any{int64(3), int64(1), int64(0), nil, 2.0}
	if err != nil || !reflect.DeepEqual(got.Args, want) {
		t.Errorf("got %#v, %v, want %#v", got.Args, err, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("an argument of a strange type: got no panic")
		}
	}()
	Statement{Args: []any{struct{}{}}}.Encode()
}

// TestJavaScriptNumbers tests the decoder with the output of encoders in JavaScript.
func TestJavaScriptNumbers(t *testing.T) {
	for _, test := range []struct {
		name, hex string
		want      any
	}{
		{"fixnum", "05", int64(5)},
		{"negative fixnum", "ff", int64(-1)},
		{"uint32", "ceffffffff", int64(1<<32 - 1)},
		{"uint64", "cf001fffffffffffff", int64(1<<53 - 1)},
		{"int64", "d3ffe0000000000001", int64(-(1<<53 - 1))},
		{"float32", "ca3fc00000", 1.5},
		{"float64", "cb3ff8000000000000", 1.5},
		{"a whole float64", "cb4000000000000000", 2.0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := DecodeResult(unhex(t, "92a09191"+test.hex))
			if err != nil || !reflect.DeepEqual(got.Rows[0][0], test.want) {
				t.Errorf("got %#v, %v, want %#v", got.Rows, err, test.want)
			}
		})
	}
	at, err := DecodeOccurrence(unhex(t, "9404cb4278bcfe568000000690"))
	if err != nil || at.At != 1_700_000_000_000 {
		t.Errorf("a time as a float64: got %d, %v", at.At, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, hex, want string }{
		{"nothing", "", "EOF"},
		{"no list", "c0", "code 0xc0 is no list"},
		{"a list too short", "930406", "list of 3"},
		{"a list too long", "9504000690c0", "list of 5"},
		{"an unknown event", "94040063c0", "no event has number 99"},
		{"no event at all", "94040000c0", "no event has number 0"},
		{"a field too few", "9404000991a174", "list of 1"},
		{"a field of another type", "9404000791c3", "code 0xc3 is no text"},
		{"a fraction", "9404cb3ff80000000000000690", "no integer"},
		{"an integer too large", "9404cfffffffffffffffff0690", "too large"},
		{"a nil for an integer", "9404c00690", "no integer"},
		{"a table that is odd", "9404000893a1660c91a161", "table of 1"},
		{"a forged length", "9404000196a0a0dd7fffffff", "list of 2147483647"},
		{"an extension", "d40100", "code 0xd4 is no list"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := DecodeOccurrence(unhex(t, test.hex))
			if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, error %v, want ErrMalformed with %q", o, err, test.want)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	want := VersionError{Host: 5, Guest: Version}
	for _, hex := range []string{"9405000690", "9705c0c0c0c0c0c0"} {
		if _, err := DecodeOccurrence(unhex(t, hex)); !errors.Is(err, want) {
			t.Errorf("occurrence %s: got error %v, want %v", hex, err, want)
		}
	}
	if _, err := DecodeReply(unhex(t, "9605c0c0c0c0c0")); !errors.Is(err, VersionError{Host: Version, Guest: 5}) {
		t.Errorf("reply: got error %v", err)
	}
	if want := fmt.Sprint(NamespacePrefix, Version); Namespace != want {
		t.Errorf("namespace: got %q, want %q", Namespace, want)
	}
	for name, want := range map[string]error{
		Namespace: nil, "wasi_snapshot_preview1": nil, "tributary": nil,
		"tributary_v12": VersionError{Host: Version, Guest: 12},
	} {
		if got := CheckNamespace(name); !errors.Is(got, want) {
			t.Errorf("CheckNamespace(%q): got %v, want %v", name, got, want)
		}
	}
}

// TestLongTextsAreCopiedOnce shows that a text or a blob is read into memory of its own size:
// linear memory never gives back what a decoder allocates beside it.
func TestLongTextsAreCopiedOnce(t *testing.T) {
	const size = 4 << 20
	frame := Occurrence{Event: durable.SocketMessage{Conn: "a", Text: strings.Repeat("x", size)}}.Encode()
	chunk := Occurrence{Event: durable.FetchChunk{Fetch: "f", Data: make([]byte, size)}}.Encode()
	rows := Result{Rows: []durable.Row{{strings.Repeat("x", size)}}}.Encode()
	for name, decode := range map[string]func() error{
		"text of an event": func() error { _, err := DecodeOccurrence(frame); return err },
		"blob of an event": func() error { _, err := DecodeOccurrence(chunk); return err },
		"value of a row":   func() error { _, err := DecodeResult(rows); return err },
	} {
		t.Run(name, func(t *testing.T) {
			took := heap.Allocated(func() {
				if err := decode(); err != nil {
					t.Fatal(err)
				}
			})
			if took > size+size/8 {
				t.Errorf("%d bytes took %d to read", size, took)
			}
		})
	}
}
