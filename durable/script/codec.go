package script

import (
	"errors"
	"fmt"
	"math"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// The kinds of requests.
const (
	kindOpen = iota
	kindAnswer
	kindClose
)

// ErrMalformed says that bytes are no request or no result.
var ErrMalformed = errors.New("script: malformed")

// Request is an [Open], an [Answer] or a [Close].
type Request interface{ Encode() []byte }

// Encode returns the bytes of the request.
func (o Open) Encode() []byte {
	w := writer{pack.NewWriter()}
	w.List(9)
	w.integers(kindOpen, o.Box)
	w.Text(o.Prelude)
	w.Text(o.Code)
	w.Bytes(o.Seed[:])
	w.integers(o.Now, o.Memory, o.Stack, o.Work)
	return w.Data()
}

// Encode returns the bytes of the request.
func (a Answer) Encode() []byte {
	w := writer{pack.NewWriter()}
	w.List(7)
	w.integers(kindAnswer, a.Box, a.Call)
	w.Bool(a.OK)
	w.Text(a.JSON)
	w.integers(a.Now, a.Work)
	return w.Data()
}

// Encode returns the bytes of the request.
func (c Close) Encode() []byte {
	w := writer{pack.NewWriter()}
	w.List(2)
	w.integers(kindClose, c.Box)
	return w.Data()
}

// DecodeRequest decodes what the Encode of a request returns. Its error wraps [ErrMalformed].
func DecodeRequest(data []byte) (Request, error) {
	r := reader{from: pack.NewReader(data)}
	var request Request
	switch n, kind := r.list(), r.integer(); {
	case kind == kindOpen && n == 9:
		o := Open{Box: r.integer(), Prelude: r.text(), Code: r.text()}
		if seed := r.blob(); len(seed) == len(o.Seed) {
			copy(o.Seed[:], seed)
		} else {
			r.bad = true
		}
		o.Now, o.Memory, o.Stack, o.Work = r.integer(), r.integer(), r.integer(), r.integer()
		request = o
	case kind == kindAnswer && n == 7:
		request = Answer{Box: r.integer(), Call: r.integer(), OK: r.boolean(), JSON: r.text(), Now: r.integer(), Work: r.integer()}
	case kind == kindClose && n == 2:
		request = Close{Box: r.integer()}
	default:
		r.bad = true
	}
	return request, r.end("request")
}

// Encode returns the bytes of the result.
func (r Result) Encode() []byte {
	w := writer{pack.NewWriter()}
	w.List(7)
	w.integers(int64(r.State))
	w.List(len(r.Calls))
	for _, c := range r.Calls {
		w.List(3)
		w.integers(c.Number)
		w.Text(c.Name)
		w.Text(c.JSON)
	}
	w.List(len(r.Lines))
	for _, line := range r.Lines {
		w.Text(line)
	}
	w.Text(r.Value)
	w.Text(r.Words)
	w.integers(r.Work, r.Bytes)
	return w.Data()
}

// DecodeResult decodes what [Result.Encode] returns. Its error wraps [ErrMalformed].
func DecodeResult(data []byte) (result Result, err error) {
	r := reader{from: pack.NewReader(data)}
	r.exactly(7)
	result.State = State(r.integer())
	r.bad = r.bad || result.State < Waits || result.State > Spent
	for n := r.list(); n > 0 && !r.bad; n-- {
		r.exactly(3)
		result.Calls = append(result.Calls, Call{Number: r.integer(), Name: r.text(), JSON: r.text()})
	}
	for n := r.list(); n > 0 && !r.bad; n-- {
		result.Lines = append(result.Lines, r.text())
	}
	result.Value, result.Words, result.Work, result.Bytes = r.text(), r.text(), r.integer(), r.integer()
	return result, r.end("result")
}

// writer writes values.
type writer struct{ *pack.Writer }

func (w writer) integers(all ...int64) {
	for _, n := range all {
		w.Int(n)
	}
}

// reader reads values. After the first that is not what is wanted, it is bad, and every further value
// reads as zero.
type reader struct {
	from *pack.Reader
	bad  bool
}

// read returns a value, or zero if the reader is bad.
func read[T any](r *reader, next func() (T, error)) (value T) {
	if r.bad {
		return value
	}
	got, err := next()
	if err != nil {
		r.bad = true
		return value
	}
	return got
}

func (r *reader) integer() int64 {
	n := read(r, r.from.Number)
	if !n.Negative && n.N > math.MaxInt64 {
		r.bad = true
		return 0
	}
	return int64(n.N)
}

func (r *reader) boolean() bool { return read(r, r.from.Bool) }

func (r *reader) text() string { return read(r, r.from.Text) }

func (r *reader) blob() []byte { return read(r, r.from.Bytes) }

func (r *reader) list() int { return read(r, r.from.List) }

func (r *reader) exactly(n int) { r.bad = r.list() != n || r.bad }

func (r *reader) end(what string) error {
	if r.bad || r.from.End() != nil {
		return fmt.Errorf("%w %s", ErrMalformed, what)
	}
	return nil
}
