package infer_test

import (
	"encoding/json"
	"log/slog"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/tributary-agents/tributary/durable/internal/infer"
)

type key struct{ n int }

func (k key) MarshalText() ([]byte, error) { return []byte{byte(k.n)}, nil }

type level string

type base struct {
	ID   string `json:"id" jsonschema:"the <id> & more"`
	Both string `json:"both"`
}

type all struct {
	base
	Both    int    `json:"both"` // hides that of base
	Text    string `json:"text,omitempty" jsonschema:"a text"`
	Zero    level  `json:"zero,omitzero"`
	Out     bool   `json:"-"`
	Untaged float32
	hidden  int
	Any     any              `json:"any" jsonschema:"anything at all"`
	Raw     json.RawMessage  `json:"raw"`
	Bytes   []byte           `json:"bytes"`
	List    []*string        `json:"list"`
	Pair    [2]int8          `json:"pair"`
	None    [0]uint16        `json:"none"`
	Map     map[string]*bool `json:"map"`
	Keys    map[key]uint32   `json:"keys"`
	When    time.Time        `json:"when"`
	Maybe   *time.Time       `json:"maybe"`
	Level   slog.Level       `json:"level"`
	Rat     big.Rat          `json:"rat"`
	Numbers struct {
		A int
		B int16
		C int32
		D int64
		E uint
		F uint8
		G uint64
		H uintptr
		I float64
	}
	Twice [2]struct{ X, Y base }
}

type circle struct{ Next []circle }

// TestFor compares schemas with those of the library, to the byte, and fails where it fails.
func TestFor(t *testing.T) {
	_ = all{hidden: 1}
	for _, of := range []reflect.Type{
		reflect.TypeFor[all](), reflect.TypeFor[*all](), reflect.TypeFor[[]all](), reflect.TypeFor[map[string]any](),
		reflect.TypeFor[struct{}](), reflect.TypeFor[struct{ n int }](), reflect.TypeFor[any](), reflect.TypeFor[level](), reflect.TypeFor[*int](),
		reflect.TypeFor[**base](), reflect.TypeFor[struct{ X *any }](), reflect.TypeFor[struct{ *base }](), reflect.TypeFor[json.Number](),
		// These have none.
		reflect.TypeFor[circle](), reflect.TypeFor[map[string]*circle](), reflect.TypeFor[func()](), reflect.TypeFor[chan int](), reflect.TypeFor[complex64](),
		reflect.TypeFor[map[int]string](), reflect.TypeFor[map[string]func()](), reflect.TypeFor[[]chan int](), reflect.TypeFor[struct{ time.Time }](),
		reflect.TypeFor[struct {
			X int `jsonschema:""`
		}](),
		reflect.TypeFor[struct {
			X int `jsonschema:"minimum=3"`
		}](),
	} {
		theirs, wantErr := jsonschema.ForType(of, nil)
		ours, err := infer.For(of)
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%s: the error is %v, and the library's is %v", of, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		got, err1 := json.Marshal(ours)
		want, err2 := json.Marshal(theirs)
		if err1 != nil || err2 != nil || string(got) != string(want) {
			t.Errorf("%s: the schema is\n%s\nand the library's is\n%s (%v, %v)", of, got, want, err1, err2)
		}
	}
}
