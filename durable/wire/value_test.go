package wire_test

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/wire"
	"github.com/tributary-agents/tributary/durable/wire/travel/testdata/allowed"
	"github.com/vmihailenco/msgpack/v5"
)

func opaque(text string) (o allowed.Opaque) {
	_ = o.UnmarshalText([]byte(text))
	return o
}

var everything = allowed.Everything{
	Base: allowed.Base{ID: "base"}, Flag: true, Small: -128, Number: math.MinInt64, Level: 255,
	Float: 1.5, Double: math.Inf(-1), Text: strings.Repeat("ü", 40), Bytes: []byte{0, 255}, Digest: [4]byte{1, 2, 200},
	List: []string{"a", ""}, Nested: [][]int{nil, {}, {-1, 70000, -70000, 1 << 40, -40, -200}},
	Table: map[string][]int{"b": {1}, "a": nil}, Levels: map[allowed.Level]bool{3: true, 1: false},
	Pointer: &allowed.Base{}, Page: allowed.Page[allowed.Base]{Items: make([]allowed.Base, 20), Next: new(string)},
	At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Wait: time.Hour, Big: big.NewInt(-1 << 40),
	Address: netip.MustParseAddr("::1"), Named: "renamed", Opaque: opaque("inside"),
}

func TestEverythingTravels(t *testing.T) {
	for name, want := range map[string]allowed.Everything{"full": everything, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			got, err := echo(want)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, want)
			}
			if !bytes.Equal(allowed.Echo.Request(want), allowed.Echo.Request(want)) {
				t.Error("equal values have different bytes")
			}
		})
	}
}

// TestLongValuesTravel has lengths of each width.
func TestLongValuesTravel(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536} {
		want := allowed.Everything{
			Text: strings.Repeat("x", n), Bytes: make([]byte, n), List: make([]string, n), Table: map[string][]int{},
		}
		for i := range n {
			want.Table[strconv.Itoa(i)] = nil
		}
		got, err := echo(want)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d elements: got %d, %d, %d, %d, %v", n, len(got.Text), len(got.Bytes), len(got.List), len(got.Table), err)
		}
	}
}

func echo(v allowed.Everything) (allowed.Everything, error) {
	var mux wire.Mux[struct{}]
	wire.Handle(&mux, allowed.Echo, func(_ struct{}, v allowed.Everything) (allowed.Everything, error) { return v, nil })
	return allowed.Echo.Result(mux.Serve(struct{}{}, allowed.Echo.Request(v)))
}

type narrow struct {
	N      int8
	U      uint8
	F      float32
	B      []byte
	List   []narrowItem
	Fixed  [2]bool
	Table  map[uint16]int
	At     time.Time
	Inner  *narrowItem
	Strict bool
}

type narrowItem struct{ Name string }

// TestRead gives a struct to a reader that a stock library has written.
func TestRead(t *testing.T) {
	method := wire.NewMethod[struct{}, narrow]("m")
	for _, c := range []struct {
		name string
		body any
		want string
	}{
		{"good", map[string]any{"N": -1, "U": 255, "Fixed": []bool{true, false}, "Inner": nil}, ""},
		{"unknown fields are passed over", map[string]any{"New": map[string]any{"a": []any{1, "x", nil, 1.5, []byte("b"), time.Unix(1, 1)}}}, ""},
		{"no map", []int{1}, "narrow: a list, want a map"},
		{"nil", nil, "narrow: nil, want a map"},
		{"name is a number", map[int]int{1: 1}, "narrow: name of a field: a whole number, want a text"},
		{"too large", map[string]any{"N": 128}, "narrow.N: 128 does not fit into int8"},
		{"too small", map[string]any{"N": -129}, "narrow.N: -129 does not fit into int8"},
		{"negative", map[string]any{"U": -1}, "narrow.U: -1 does not fit into uint8"},
		{"above all", map[string]any{"N": uint64(math.MaxUint64)}, "narrow.N: 18446744073709551615 does not fit into int8"},
		{"fraction", map[string]any{"N": 1.5}, "narrow.N: a fraction, want a whole number"},
		{"fraction too large", map[string]any{"F": 1e300}, "narrow.F: 1e+300 does not fit into float32"},
		{"whole number for a fraction", map[string]any{"F": 1}, "narrow.F: a whole number, want a fraction"},
		{"text for bytes", map[string]any{"B": "text"}, "narrow.B: a text, want bytes"},
		{"deep in a list", map[string]any{"List": []any{map[string]any{}, map[string]any{"Name": true}}}, "narrow.List[1].Name: a boolean, want a text"},
		{"nil in a list", map[string]any{"List": []any{nil}}, "narrow.List[0]: nil, want a map"},
		{"array too short", map[string]any{"Fixed": []bool{true}}, "narrow.Fixed: list of 1 elements, want 2"},
		{"key", map[string]any{"Table": map[string]int{"x": 1}}, "narrow.Table: key: a text, want a whole number"},
		{"value", map[string]any{"Table": map[int]string{7: "x"}}, "narrow.Table[7]: a text, want a whole number"},
		{"behind a pointer", map[string]any{"Inner": map[string]any{"Name": 1}}, "narrow.Inner.Name: a whole number, want a text"},
		{"codec's own refusal", map[string]any{"At": []byte{}}, "narrow.At: Time.UnmarshalBinary: no data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := msgpack.Marshal(c.body)
			if err != nil {
				t.Fatal(err)
			}
			check(t, method, body, c.want)
		})
	}
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"field twice":            {[]byte{0x82, 0xa1, 'N', 1, 0xa1, 'N', 2}, `narrow: field "N" comes twice`},
		"key twice":              {[]byte{0x81, 0xa5, 'T', 'a', 'b', 'l', 'e', 0x82, 1, 1, 1, 1}, "narrow.Table: key 1 comes twice"},
		"forged list":            {[]byte{0x81, 0xa4, 'L', 'i', 's', 't', 0xdd, 0xff, 0xff, 0xff, 0xff}, "narrow.List: the bytes end too early"},
		"forged map":             {[]byte{0xdf, 0xff, 0xff, 0xff, 0xff}, "narrow: the bytes end too early"},
		"forged bytes":           {[]byte{0x81, 0xa1, 'B', 0xc6, 0xff, 0xff, 0xff, 0xff}, "narrow.B: the bytes end too early"},
		"unknown, nested deep":   {append([]byte{0x81, 0xa1, 'X'}, bytes.Repeat([]byte{0x91}, 1<<20)...), "narrow: nested too deep"},
		"unknown, and no value":  {[]byte{0x81, 0xa1, 'X', 0xc1}, "narrow: 0xc1 begins no value"},
		"unknown, and cut short": {[]byte{0x81, 0xa1, 'X', 0xc7, 4, 0}, "narrow: the bytes end too early"},
	} {
		t.Run(name, func(t *testing.T) { check(t, method, c.body, c.want) })
	}
}

func check(t *testing.T, method wire.Method[struct{}, narrow], body []byte, want string) {
	t.Helper()
	_, err := method.Result(append([]byte{0x93, wire.Version, 0xa0}, body...))
	switch {
	case want == "" && err != nil:
		t.Errorf("got %v", err)
	case want != "" && (!errors.Is(err, wire.CodeMalformed) || err.Error() != "malformed: "+want):
		t.Errorf("got %v, want malformed: %s", err, want)
	}
}

// TestWriteFails uses a type whose own codec cannot write its value.
func TestWriteFails(t *testing.T) {
	const want = "Stamps.All[0]: Time.MarshalBinary: unexpected zone offset"
	type Stamps struct{ All []time.Time }
	far := Stamps{[]time.Time{time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("far", 1<<30))}}
	method := wire.NewMethod[struct{}, Stamps]("m")
	var mux wire.Mux[struct{}]
	wire.Handle(&mux, method, func(struct{}, struct{}) (Stamps, error) { return far, nil })
	if _, err := method.Result(mux.Serve(struct{}{}, method.Request(struct{}{}))); err == nil || err.Error() != "internal: "+want {
		t.Errorf("got %v, want internal: %s", err, want)
	}
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() != "wire: request of m: "+want {
			t.Errorf("panic with %v", err)
		}
	}()
	wire.NewMethod[Stamps, struct{}]("m").Request(far)
}
