package guest

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// fakeHost implements the import sql with one fixed result.
type fakeHost struct {
	result abi.Result
	kept   []byte
	calls  int
	sizes  []int
}

func (h *fakeHost) call(statement, buffer []byte) int {
	h.calls++
	h.sizes = append(h.sizes, len(buffer))
	if len(statement) > 0 {
		h.kept = h.result.Encode()
	}
	if len(h.kept) <= len(buffer) {
		copy(buffer, h.kept)
	}
	return len(h.kept)
}

func TestSQL(t *testing.T) {
	for _, test := range []struct {
		name  string
		size  int
		calls int
	}{{"small", 1, 1}, {"larger than the buffer", leastBuffer, 2}, {"larger than what is kept", 2 * keptBuffer, 2}} {
		t.Run(test.name, func(t *testing.T) {
			want := []durable.Row{{bytes.Repeat([]byte{7}, test.size)}}
			host := &fakeHost{result: abi.Result{Rows: want}}
			s := newStorage(host.call, nil)
			got, err := s.SQL("SELECT ?", []any{1})
			if err != nil || !reflect.DeepEqual(got, want) || host.calls != test.calls {
				t.Errorf("got %d rows, %v after %d calls, want %d calls", len(got), err, host.calls, test.calls)
			}
		})
	}
}

func TestSQLErrors(t *testing.T) {
	s := newStorage((&fakeHost{result: abi.Result{Error: "no such table"}}).call, nil)
	if _, err := s.SQL("x", nil); err == nil || err.Error() != "no such table" {
		t.Errorf("got error %v", err)
	}
	s = newStorage(func(_, buffer []byte) int { return copy(buffer, "\xc1") }, nil)
	if _, err := s.SQL("x", nil); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("broken bytes: got error %v", err)
	}
}

// TestBufferShrinks shows that one large result does not hold its buffer permanently.
func TestBufferShrinks(t *testing.T) {
	host := &fakeHost{result: abi.Result{Rows: []durable.Row{{make([]byte, 3*keptBuffer)}}}}
	s := newStorage(host.call, nil)
	for range 2 {
		if _, err := s.SQL("x", nil); err != nil {
			t.Fatal(err)
		}
		host.result = abi.Result{}
	}
	if last := host.sizes[len(host.sizes)-1]; last > keptBuffer {
		t.Errorf("after a large result the buffer has %d bytes", last)
	}
}

func TestBuffers(t *testing.T) {
	small, large := make([]byte, 5, 100), make([]byte, 5, 2*keptBuffer)
	if got := reuse(small); len(got) != 0 || cap(got) != 100 {
		t.Errorf("reuse: got %d of %d", len(got), cap(got))
	}
	if reuse(large) != nil || reuse(nil) != nil {
		t.Error("reuse kept a large buffer")
	}
	for _, test := range []struct {
		name     string
		b        []byte
		n        int
		len, cap int
	}{
		{"fits", small, 60, 60, 100},
		{"does not fit", small, 101, 101, leastBuffer},
		{"too large to keep", large, 10, 10, leastBuffer},
		{"large again", large, keptBuffer + 1, keptBuffer + 1, 2 * keptBuffer},
	} {
		if got := grow(test.b, test.n); len(got) != test.len || cap(got) != test.cap {
			t.Errorf("grow, %s: got %d of %d, want %d of %d", test.name, len(got), cap(got), test.len, test.cap)
		}
	}
}

// TestNumbers shows which texts cross: each one once, as many as are numbered and none that is long.
// The others cross each time.
func TestNumbers(t *testing.T) {
	var crossed abi.Statement
	s := newStorage(func(statement, buffer []byte) int {
		var err error
		if crossed, err = abi.DecodeStatement(statement); err != nil {
			t.Fatal(err)
		}
		return copy(buffer, abi.Result{}.Encode())
	}, nil)
	run := func(text string, want abi.Statement) {
		t.Helper()
		if _, err := s.SQL(text, nil); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(crossed, want) {
			t.Errorf("%.20s: got %+v, want %+v", text, crossed, want)
		}
	}
	long := strings.Repeat("x", longestNumbered+1)
	run(long, abi.Statement{SQL: long})
	run(long, abi.Statement{SQL: long})
	for i := range abi.MaxStatements {
		text := fmt.Sprint("SELECT ", i)
		run(text, abi.Statement{SQL: text, Number: i + 1})
		run(text, abi.Statement{Number: i + 1})
	}
	run("SELECT -1", abi.Statement{SQL: "SELECT -1"})
	run("SELECT -1", abi.Statement{SQL: "SELECT -1"})
	run("SELECT 0", abi.Statement{Number: 1})
}
