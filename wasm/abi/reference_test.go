package abi

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/tributary-agents/tributary/durable"
)

// The reference writes and reads the formats with msgpack/v5, by reflection over the types. It
// shares nothing with the codec: no walk, no number, no order of fields.

// eventNumbers and commandNumbers have one value of each kind at the place of its number.
var (
	eventNumbers = []any{
		1: durable.Opened{},
		durable.SocketOpened{},
		durable.SocketMessage{},
		durable.SocketClosed{},
		durable.RequestReceived{},
		durable.AlarmFired{},
		durable.TimerFired{},
		durable.FetchResponded{},
		durable.FetchChunk{},
		durable.FetchEnded{},
		durable.FetchFailed{},
		durable.CallReceived{},
		durable.CallAnswered{},
		durable.CallFailed{},
		durable.StreamRequested{},
		durable.StreamDrained{},
		durable.StreamCancelled{},
		durable.StreamData{},
		durable.StreamEnded{},
		durable.StreamFailed{},
	}
	commandNumbers = []any{
		1: durable.Send{},
		durable.Close{},
		durable.Respond{},
		durable.SetAlarm{},
		durable.StartTimer{},
		durable.StopTimer{},
		durable.Fetch{},
		durable.CancelFetch{},
		durable.Log{},
		durable.Call{},
		durable.Answer{},
		durable.OpenStream{},
		durable.CancelStream{},
		durable.Emit{},
		durable.EndStream{},
		durable.DeleteFacet{},
		durable.EvictFacet{},
		durable.Begin{},
	}
)

// members returns the fields of a struct in the order of the manual.
func members(v reflect.Value) []reflect.Value {
	var out []reflect.Value
	if v.Type() == reflect.TypeFor[durable.Opened]() {
		for _, name := range []string{"Class", "Name", "Conns", "Vars", "Secrets", "Lost"} {
			out = append(out, v.FieldByName(name))
		}
		return out
	}
	for i := range v.NumField() {
		out = append(out, v.Field(i))
	}
	return out
}

// referenceEncode returns the bytes of an Occurrence, a Reply, a Statement or a Result.
func referenceEncode(value any) []byte {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	e.UseCompactInts(true)
	if err := writeReference(e, reflect.ValueOf(value)); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func writeReference(e *msgpack.Encoder, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		return e.EncodeString(v.String())
	case reflect.Int, reflect.Int64:
		return e.EncodeInt(v.Int())
	case reflect.Float64:
		return e.EncodeFloat64(v.Float())
	case reflect.Bool:
		return e.EncodeBool(v.Bool())
	case reflect.Map:
		flat := slices.Sorted(func(yield func(string) bool) {
			for _, key := range v.MapKeys() {
				yield(key.String())
			}
		})
		for i := len(flat) - 1; i >= 0; i-- {
			flat = slices.Insert(flat, i+1, v.MapIndex(reflect.ValueOf(flat[i])).String())
		}
		return writeReference(e, reflect.ValueOf(flat))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return e.EncodeBytes(v.Bytes())
		}
		return writeElements(e, elements(v)...)
	case reflect.Struct:
		switch value := v.Interface().(type) {
		case Occurrence:
			number, fields := numbered(eventNumbers, reflect.ValueOf(value.Event))
			return writeElements(e, reflect.ValueOf(Version), reflect.ValueOf(value.At), number, fields)
		case Reply:
			return writeElements(e, append([]reflect.Value{reflect.ValueOf(Version)}, members(v)...)...)
		}
		return writeElements(e, members(v)...)
	case reflect.Interface:
		if v.IsNil() {
			return e.EncodeNil()
		}
		if v.Type() == reflect.TypeFor[durable.Command]() {
			number, fields := numbered(commandNumbers, v.Elem())
			return writeElements(e, number, fields)
		}
		return writeReference(e, v.Elem())
	}
	return fmt.Errorf("%v is in no format", v.Type())
}

func elements(v reflect.Value) []reflect.Value {
	var out []reflect.Value
	for i := range v.Len() {
		out = append(out, v.Index(i))
	}
	return out
}

func writeElements(e *msgpack.Encoder, elements ...reflect.Value) error {
	err := e.EncodeArrayLen(len(elements))
	for i := 0; err == nil && i < len(elements); i++ {
		err = writeReference(e, elements[i])
	}
	return err
}

func numbered(kinds []any, v reflect.Value) (number, fields reflect.Value) {
	i := slices.IndexFunc(kinds, func(kind any) bool { return kind != nil && reflect.TypeOf(kind) == v.Type() })
	return reflect.ValueOf(i), v
}

// reference reads values from data.
type reference struct {
	dec  *msgpack.Decoder
	rest *bytes.Reader
}

// referenceDecode reads an Occurrence, a Reply, a Statement or a Result, and refuses bytes behind
// it.
func referenceDecode[T any](data []byte) (value T, err error) {
	r := reference{rest: bytes.NewReader(data)}
	r.dec = msgpack.NewDecoder(r.rest)
	err = r.read(reflect.ValueOf(&value).Elem())
	if err == nil && r.rest.Len() > 0 {
		err = errors.New("bytes behind the end")
	}
	return value, err
}

func (r reference) read(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		text, err := r.dec.DecodeString()
		v.SetString(text)
		return err
	case reflect.Int, reflect.Int64:
		n, err := r.integer()
		v.SetInt(n)
		return err
	case reflect.Bool:
		b, err := r.dec.DecodeBool()
		v.SetBool(b)
		return err
	case reflect.Map:
		var flat []string
		if err := r.read(reflect.ValueOf(&flat).Elem()); err != nil || len(flat) == 0 {
			return err
		}
		if len(flat)%2 != 0 {
			return errors.New("an odd table")
		}
		v.Set(reflect.MakeMap(v.Type()))
		for i := 0; i < len(flat); i += 2 {
			v.SetMapIndex(reflect.ValueOf(flat[i]), reflect.ValueOf(flat[i+1]))
		}
		return nil
	case reflect.Slice:
		return r.slice(v)
	case reflect.Struct:
		return r.object(v)
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[durable.Command]() {
			if err := r.length(2); err != nil {
				return err
			}
			return r.numbered(commandNumbers, v)
		}
		return r.value(v)
	}
	return fmt.Errorf("%v is in no format", v.Type())
}

func (r reference) slice(v reflect.Value) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		b, err := r.dec.DecodeBytes()
		v.SetBytes(b)
		return err
	}
	n, err := r.dec.DecodeArrayLen()
	if err != nil || n < 0 || n > r.rest.Len() {
		return errors.Join(err, fmt.Errorf("list of %d elements", n))
	}
	for i := range n {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := r.read(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (r reference) object(v reflect.Value) error {
	fields := members(v)
	switch value := v.Addr().Interface().(type) {
	case *Occurrence:
		if err := r.versioned(4); err != nil {
			return err
		}
		if err := r.read(reflect.ValueOf(&value.At).Elem()); err != nil {
			return err
		}
		return r.numbered(eventNumbers, reflect.ValueOf(&value.Event).Elem())
	case *Reply:
		if err := r.versioned(5); err != nil {
			return err
		}
	default:
		if err := r.length(len(fields)); err != nil {
			return err
		}
	}
	for _, field := range fields {
		if err := r.read(field); err != nil {
			return err
		}
	}
	return nil
}

func (r reference) length(want int) error {
	n, err := r.dec.DecodeArrayLen()
	if err == nil && n != want {
		err = fmt.Errorf("list of %d elements", n)
	}
	return err
}

func (r reference) versioned(want int) error {
	if err := r.length(want); err != nil {
		return err
	}
	version, err := r.integer()
	if err == nil && version != Version {
		err = errors.New("another version")
	}
	return err
}

func (r reference) numbered(kinds []any, v reflect.Value) error {
	number, err := r.integer()
	if err != nil || number < 1 || number >= int64(len(kinds)) {
		return errors.Join(err, fmt.Errorf("no kind has number %d", number))
	}
	fields := reflect.New(reflect.TypeOf(kinds[number])).Elem()
	err = r.read(fields)
	v.Set(fields)
	return err
}

// integer refuses what the library would change: it rounds a fraction, reads a nil as zero, and
// wraps a large integer around.
func (r reference) integer() (int64, error) {
	code, err := r.dec.PeekCode()
	switch {
	case err != nil:
		return 0, err
	case code == msgpcode.Uint64:
		n, err := r.dec.DecodeUint64()
		if n > math.MaxInt64 {
			err = errors.New("too large")
		}
		return int64(n), err
	case code == msgpcode.Double:
		f, err := r.dec.DecodeFloat64()
		if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
			err = errors.New("no integer")
		}
		return int64(f), err
	case code == msgpcode.Nil, code == msgpcode.Float:
		return 0, errors.New("no integer")
	}
	return r.dec.DecodeInt64()
}

func (r reference) value(v reflect.Value) error {
	code, err := r.dec.PeekCode()
	if err != nil {
		return err
	}
	var value any
	switch {
	case code == msgpcode.Nil:
		return r.dec.DecodeNil()
	case code == msgpcode.Float, code == msgpcode.Double:
		value, err = r.dec.DecodeFloat64()
	case msgpcode.IsString(code):
		value, err = r.dec.DecodeString()
	case msgpcode.IsBin(code):
		value, err = r.dec.DecodeBytes()
	default:
		value, err = r.integer()
	}
	v.Set(reflect.ValueOf(value))
	return err
}
