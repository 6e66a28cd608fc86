package abi

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// fuzzDecode compares the decoder of a format with the reference: both refuse the same bytes, and
// read the same value from all others. What each then writes is equal.
func fuzzDecode[T any](f *testing.F, decode func([]byte) (T, error), encode func(T) []byte) {
	for _, v := range vectors() {
		data, err := hex.DecodeString(v.Hex)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		want, wantErr := referenceDecode[T](data)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%x: got error %v, the reference has error %v", data, err, wantErr)
		}
		if err != nil {
			if _, other := errors.AsType[VersionError](err); !other && !errors.Is(err, ErrMalformed) {
				t.Errorf("%x: got error %v", data, err)
			}
			return
		}
		same(t, got, want, encode)
	})
}

// same compares a value with the reference's, and the bytes of the two. Two values are equal if
// they are written alike, because a float need not be equal to itself.
func same[T any](t *testing.T, got, want T, encode func(T) []byte) {
	t.Helper()
	if a, b := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); a != b {
		t.Errorf("got %s, the reference has %s", a, b)
	}
	if a, b := encode(got), referenceEncode(want); !bytes.Equal(a, b) {
		t.Errorf("%+v: got %x, the reference has %x", got, a, b)
	}
}

func FuzzDecodeOccurrence(f *testing.F) { fuzzDecode(f, DecodeOccurrence, Occurrence.Encode) }
func FuzzDecodeReply(f *testing.F)      { fuzzDecode(f, DecodeReply, Reply.Encode) }
func FuzzDecodeStatement(f *testing.F)  { fuzzDecode(f, DecodeStatement, Statement.Encode) }
func FuzzDecodeResult(f *testing.F)     { fuzzDecode(f, DecodeResult, Result.Encode) }

// FuzzEncode fills the fields of one event and one command, and the values of a row, and lets the
// codec and the reference read each other's bytes.
func FuzzEncode(f *testing.F) {
	f.Add(uint8(1), uint8(1), uint16(0), "", int64(0), 0.0)
	for i, n := range []int64{-1, 31, -32, -33, 127, 128, -128, -129, 255, 256, -32768, 32768, 65535, 65536, 1 << 31, -1 << 31, -1<<31 - 1, 1 << 32, 1<<63 - 1, -1 << 63} {
		f.Add(uint8(i+1), uint8(i%16+1), uint16(i), strings.Repeat("é", i), n, float64(n)/3)
	}
	for _, length := range []uint16{15, 16, 31, 32, 255, 256, 65535} {
		f.Add(uint8(1), uint8(7), length, "x", int64(length), 1.5)
	}
	f.Fuzz(func(t *testing.T, event, command uint8, length uint16, word string, n int64, float float64) {
		long := strings.Repeat("x", int(length))
		fill := filler{word, long, n}
		e := fill.new(eventNumbers[1+int(event)%(len(eventNumbers)-1)]).(durable.Event)
		m := fill.new(commandNumbers[1+int(command)%(len(commandNumbers)-1)]).(durable.Command)
		row := durable.Row{nil, n, float, word, long, []byte(word), []byte(long), -n, float * float}
		cross(t, Occurrence{At: n, Event: e}, DecodeOccurrence, Occurrence.Encode)
		cross(t, Reply{Status: Status(n), Error: word, Busy: n%2 == 0, Commands: []durable.Command{m, m}}, DecodeReply, Reply.Encode)
		cross(t, Statement{SQL: word, Number: int(n), Args: row}, DecodeStatement, Statement.Encode)
		cross(t, Result{Error: long, Rows: []durable.Row{row, row[:int(length)%len(row)+1]}}, DecodeResult, Result.Encode)
	})
}

// cross shows that codec and reference write the same bytes, and read each other's.
func cross[T any](t *testing.T, value T, decode func([]byte) (T, error), encode func(T) []byte) {
	t.Helper()
	ours, theirs := encode(value), referenceEncode(value)
	if !bytes.Equal(ours, theirs) {
		t.Errorf("%+v: got %x, the reference has %x", value, ours, theirs)
	}
	got, err := decode(theirs)
	want, wantErr := referenceDecode[T](ours)
	if err != nil || wantErr != nil {
		t.Fatalf("%+v: got error %v, the reference has error %v", value, err, wantErr)
	}
	same(t, got, want, encode)
}

// filler gives each field a value of its type.
type filler struct {
	word, long string
	n          int64
}

// new returns a value of the type of kind whose fields are filled.
func (f filler) new(kind any) any {
	v := reflect.New(reflect.TypeOf(kind)).Elem()
	f.fill(v)
	return v.Interface()
}

func (f filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.word)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Bool:
		v.SetBool(f.n%2 != 0)
	case reflect.Map:
		if f.word != f.long {
			v.Set(reflect.ValueOf(map[string]string{f.word: f.long, f.long: f.word}))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(f.long))
			return
		}
		for i := range min(len(f.long), 40) {
			v.Grow(1)
			v.SetLen(i + 1)
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	}
}
