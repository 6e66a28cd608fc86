// Package allowed declares what may travel. The analyser finds nothing in it, and
// its test makes every value of it travel.
package allowed

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/tributary-agents/tributary/durable/wire"
)

// Level is a type with a name and no codec.
type Level uint8

// Opaque brings its codec along, and keeps what it likes.
type Opaque struct{ inside string }

// MarshalText is one half of the codec.
func (o Opaque) MarshalText() ([]uint8, error) { return []byte(o.inside), nil }

// UnmarshalText is the other half.
func (o *Opaque) UnmarshalText(text []uint8) error {
	o.inside = string(text)
	return nil
}

// Page is a generic type: what it is made of is known where it is declared.
type Page[T any] struct {
	Items []T
	Next  *string
}

// Base is embedded, and travels as a field of its name.
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

// Secret keeps the field that stays behind in use.
func (e Everything) Secret() int { return len(e.secret) }

// Echo is a method of all of it, and Numbers one of types without names.
var (
	Echo    = wire.NewMethod[Everything, Everything]("echo")
	Numbers = wire.NewMethod[[]int, map[string]float64]("numbers")
	Tail    = wire.NewStream[Page[Base]]("tail")
)
