package abi

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.json")

const goldenFile = "testdata/golden.json"

// vector is one value with its bytes. The shim's tests read them too, so Value
// is as TypeScript has it: fields in lower case, and a blob as {"blob": hex}.
type vector struct {
	Name  string `json:"name"`
	Hex   string `json:"hex"`
	Value any    `json:"value"`
}

func TestGolden(t *testing.T) {
	got, err := json.MarshalIndent(vectors(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(goldenFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what the encoders write; where that was meant, a new version is due, and -update", goldenFile)
	}
}

func vectors() []vector {
	var out []vector
	add := func(name string, value any, data []byte) {
		out = append(out, vector{name, hex.EncodeToString(data), plain(reflect.ValueOf(value))})
	}
	for _, e := range events {
		o := Occurrence{At: 1_700_000_000_000, Event: e}
		add("occurrence", o, o.Encode())
	}
	for _, r := range replies() {
		add("reply", r, r.Encode())
	}
	for _, s := range statements() {
		add("statement", s, s.Encode())
	}
	for _, r := range results() {
		add("result", r, r.Encode())
	}
	return out
}

func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		return object(v)
	case reflect.Map:
		out := map[string]any{}
		for _, k := range v.MapKeys() {
			out[k.String()] = plain(v.MapIndex(k))
		}
		return out
	case reflect.Slice:
		return slice(v)
	}
	return v.Interface()
}

// parts are the types of the core that are neither events nor commands, but
// fields of one.
var parts = map[string]bool{"durable.Header": true, "durable.Facet": true}

func object(v reflect.Value) any {
	out := map[string]any{}
	if name := fmt.Sprint(v.Type()); strings.HasPrefix(name, "durable.") && !parts[name] {
		out["kind"] = strings.TrimPrefix(name, "durable.")
	}
	for i := range v.NumField() {
		out[strings.ToLower(v.Type().Field(i).Name)] = plain(v.Field(i))
	}
	return out
}

func slice(v reflect.Value) any {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		if v.IsNil() {
			return nil
		}
		return map[string]string{"blob": hex.EncodeToString(v.Bytes())}
	}
	out := []any{}
	for i := range v.Len() {
		out = append(out, plain(v.Index(i)))
	}
	return out
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
