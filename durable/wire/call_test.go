package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/wire"
)

type limits struct {
	Steps  int16
	Tokens int64
}

type startRequest struct {
	Query  string
	Limits limits
}

type startResult struct {
	Run   string
	Queue []string
}

type tailRequest struct{ After int64 }

// world is the context of the handlers in these tests.
type world struct {
	full   bool
	tailed []int64
}

var (
	start = wire.NewMethod[startRequest, startResult]("run.start")
	huge  = wire.NewMethod[startRequest, []byte]("run.huge")
	tail  = wire.NewStream[tailRequest]("run.tail")
)

func newMux() *wire.Mux[*world] {
	var mux wire.Mux[*world]
	wire.Handle(&mux, start, func(w *world, req startRequest) (startResult, error) {
		switch {
		case w.full:
			return startResult{}, &wire.Error{Code: wire.CodeRefused, Message: "no slot is free"}
		case req.Query == "":
			return startResult{}, errors.New("nothing to look for")
		}
		return startResult{Run: "run of " + req.Query, Queue: []string{}}, nil
	})
	wire.Handle(&mux, huge, func(*world, startRequest) ([]byte, error) { return make([]byte, wire.MaxCall), nil })
	wire.HandleStream(&mux, tail, func(w *world, req tailRequest) error {
		if w.full {
			return fmt.Errorf("tailing: %w", wire.CodeRefused)
		}
		w.tailed = append(w.tailed, req.After)
		return nil
	})
	return &mux
}

func TestCall(t *testing.T) {
	got, err := start.Result(newMux().Serve(&world{}, start.Request(startRequest{Query: "HTTP/3"})))
	if err != nil || got.Run != "run of HTTP/3" || got.Queue == nil {
		t.Errorf("got %+v, %v", got, err)
	}
	if start.Name() != "run.start" || tail.Name() != "run.tail" {
		t.Errorf("names %q, %q", start.Name(), tail.Name())
	}
}

func TestCallFails(t *testing.T) {
	good := start.Request(startRequest{Query: "HTTP/3"})
	later := bytes.Clone(good)
	later[1]++
	type wrong struct{ Limits struct{ Tokens string } }
	mistaken := wire.NewMethod[wrong, startResult]("run.start").Request(wrong{struct{ Tokens string }{"many"}})
	for _, c := range []struct {
		name  string
		world world
		data  []byte
		code  wire.Code
		words string
	}{
		{"refused", world{full: true}, good, wire.CodeRefused, "no slot is free"},
		{"failed", world{}, start.Request(startRequest{}), wire.CodeFailed, "nothing to look for"},
		{"unknown", world{}, wire.NewMethod[startRequest, startResult]("run.fly").Request(startRequest{}), wire.CodeUnknownMethod, `no method "run.fly"`},
		{"a stream is no method", world{}, tail.Request(tailRequest{}), wire.CodeUnknownMethod, `no method "run.tail"`},
		{"version", world{}, later, wire.CodeVersion, "version 2, want 1"},
		{"nothing", world{}, nil, wire.CodeMalformed, "the bytes end too early"},
		{"cut off", world{}, good[:len(good)-1], wire.CodeMalformed, "startRequest.Query: the bytes end too early"},
		{"too much", world{}, append(bytes.Clone(good), 0), wire.CodeMalformed, "1 bytes behind the end"},
		{"wrong type", world{}, mistaken, wire.CodeMalformed, "startRequest.Limits.Tokens: a text, want a whole number"},
		{"too large", world{}, make([]byte, wire.MaxCall+1), wire.CodeTooLarge, "16777217 bytes, at most 16777216"},
		{"result too large", world{}, huge.Request(startRequest{}), wire.CodeTooLarge, "16777224 bytes, at most 16777216"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := start.Result(newMux().Serve(&c.world, c.data))
			failure, ok := errors.AsType[*wire.Error](err)
			if !ok || failure.Code != c.code || failure.Message != c.words || !errors.Is(err, c.code) {
				t.Errorf("got %v, want %s: %s", err, c.code, c.words)
			}
			if got.Run != "" {
				t.Errorf("got %+v beside the error", got)
			}
		})
	}
}

func TestResultIsRefused(t *testing.T) {
	good := newMux().Serve(&world{}, start.Request(startRequest{Query: "HTTP/3"}))
	later := bytes.Clone(good)
	later[1]++
	type other struct{ Run int }
	_, wrongType := wire.NewMethod[startRequest, other]("run.start").Result(good)
	_, version := start.Result(later)
	_, short := start.Result(good[:len(good)-1])
	for _, c := range []struct {
		got  error
		want string
	}{
		{wrongType, "malformed: other.Run: a text, want a whole number"},
		{version, "version: version 2, want 1"},
		{short, "malformed: startResult.Queue: the bytes end too early"},
	} {
		if c.got == nil || c.got.Error() != c.want {
			t.Errorf("got %v, want %s", c.got, c.want)
		}
	}
}

func TestOpen(t *testing.T) {
	w := &world{}
	if err := newMux().Open(w, tail.Request(tailRequest{After: -1})); err != nil || len(w.tailed) != 1 || w.tailed[0] != -1 {
		t.Errorf("got %v, tailed after %v", err, w.tailed)
	}
}

func TestOpenRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		code wire.Code
	}{
		{"by the handler", tail.Request(tailRequest{}), wire.CodeRefused},
		{"a method is no stream", start.Request(startRequest{}), wire.CodeUnknownMethod},
		{"malformed", []byte{0x93, 1, 0xa8}, wire.CodeMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newMux().Open(&world{full: true}, c.data)
			if !errors.Is(err, c.code) {
				t.Fatalf("got %v, want %s", err, c.code)
			}
			var r wire.Reader
			got, feedErr := r.Feed(wire.Refuse(err))
			if feedErr != nil || len(got) != 1 || !errors.Is(got[0].Err(), c.code) || !r.Finished() {
				t.Errorf("got %v, %v, finished %t", got, feedErr, r.Finished())
			}
		})
	}
}

func TestErrorFrame(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for _, c := range []struct {
		err  error
		want string
	}{
		{&wire.Error{Code: "own.code", Message: "own words"}, "own.code: own words"},
		{errors.New("plain"), "failed: plain"},
		{wire.CodeRefused, "refused: refused"},
		{&wire.Error{Message: "no code"}, "failed: no code"},
		{fmt.Errorf("starting: %w", &wire.Error{Code: wire.CodeRefused, Message: "full"}), "refused: starting: refused: full"},
		{errors.New("x" + long), "failed: x" + long[:16<<10-2]},
	} {
		if got := wire.ErrorFrame(1, c.err).Err().Error(); got != c.want {
			t.Errorf("got %.40q, %d bytes, want %.40q, %d bytes", got, len(got), c.want, len(c.want))
		}
	}
	if err := (wire.Frame{Kind: wire.KindEnd}).Err(); err != nil {
		t.Errorf("an end has the error %v", err)
	}
	if err := (wire.Frame{Kind: wire.KindError}).Err(); !errors.Is(err, wire.CodeMalformed) {
		t.Errorf("an error frame of nothing has the error %v", err)
	}
}

func TestDeclarationsPanic(t *testing.T) {
	mux := newMux()
	for name, declare := range map[string]func(){
		"handled twice":        func() { wire.Handle(mux, start, func(*world, startRequest) (startResult, error) { panic("unused") }) },
		"stream handled twice": func() { wire.HandleStream(mux, tail, func(*world, tailRequest) error { panic("unused") }) },
		"no name":              func() { wire.NewMethod[startRequest, startResult]("") },
		"stream without name":  func() { wire.NewStream[tailRequest]("") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was taken")
				}
			}()
			declare()
		})
	}
}
