// Package allowed declares what may travel. The analyser reports nothing in it, and its test sends
// every value of it.
package allowed

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/tributary-agents/tributary/durable/wire"
)

// Level is a type with a name and no codec.
type Level uint8

// Opaque has a codec of its own, so its fields may be of any type.
type Opaque struct{ inside string }

// MarshalText is one half of the codec.
func (o Opaque) MarshalText() ([]uint8, error) { return []byte(o.inside), nil }

// UnmarshalText is the other half.
func (o *Opaque) UnmarshalText(text []uint8) error {
	o.inside = string(text)
	return nil
}

// Page is a generic type. Its type argument is known at the declaration.
type Page[T any] struct {
	Items []T
	Next  *string
}

// Base is embedded, and travels as a field with its name.
type Base struct{ ID string }

// Everything has a field of each kind that travels.
type Everything struct {
	Base
	Flag    bool
	Small   int8
	Number  int64
	Level   Level
	Float   float32
	Double  float64
	Text    string
	Bytes   []byte
	Digest  [4]byte
	List    []string
	Nested  [][]int
	Table   map[string][]int
	Levels  map[Level]bool
	Pointer *Base
	Page    Page[Base]
	At      time.Time
	Wait    time.Duration
	Big     *big.Int
	Address netip.Addr
	Opaque  Opaque
	Named   string            `msgpack:"other"`
	OnDone  func()            `msgpack:"-"`
	secret  map[string]string `msgpack:"-"`
}

// Secret is a field that does not travel. This function uses it.
func (e Everything) Secret() int { return len(e.secret) }

// Echo is a method with all of these types, and Numbers one with types that have no names.
var (
	Echo    = wire.NewMethod[Everything, Everything]("echo")
	Numbers = wire.NewMethod[[]int, map[string]float64]("numbers")
	Tail    = wire.NewStream[Page[Base]]("tail")
)
