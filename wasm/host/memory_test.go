package host

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// update tells of the flag -update, which durabletest has defined.
func update() bool { return flag.Lookup("update").Value.String() == "true" }

const memoryFile = "testdata/memory.json"

// memoryGolden is what the imports do to a module's memory, call by call. The
// shim's tests hold the other host to the same file.
type memoryGolden struct {
	// Module is the module, in hexadecimal digits.
	Module string
	// Rows is what every statement brings: one text.
	Rows  [][]string
	Calls []memoryCall
}

type memoryCall struct {
	Name string
	// Statement and Room are what sql is called with; or Random bytes are asked for.
	Statement string
	Room      uint32
	Random    uint32
	// Returned is what sql returned.
	Returned uint32
	// Changed are the runs of bytes that are not as they were, by address.
	Changed map[uint32]string
}

// answer is storage that has one answer.
type answer []durable.Row

func (a answer) SQL(string, []any) ([]durable.Row, error) { return a, nil }

func TestMemory(t *testing.T) {
	module := tiny(abi.Namespace)
	golden := memoryGolden{Module: hex.EncodeToString(module), Rows: [][]string{{strings.Repeat("r", 40)}}}
	statement := hex.EncodeToString(abi.Statement{SQL: "s"}.Encode())
	golden.Calls = []memoryCall{
		{Name: "there is room", Statement: statement, Room: 64},
		{Name: "there is exactly enough room", Statement: statement, Room: 46},
		{Name: "a byte is missing", Statement: statement, Room: 45},
		{Name: "fetched by a second call", Room: 60},
		{Name: "there is no room", Statement: statement},
		{Name: "random bytes", Random: 5},
		{Name: "no random bytes"},
	}
	for i := range golden.Calls {
		run(t, module, golden.Rows, golden.Calls[:i+1])
	}
	got, err := json.MarshalIndent(golden, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if update() {
		if err := os.WriteFile(memoryFile, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(memoryFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got)+"\n" != string(want) {
		t.Errorf("got %s, want what is in %s", got, memoryFile)
	}
}

// run makes the calls on a new instance and notes what the last one returned
// and changed.
func run(t *testing.T, module []byte, rows [][]string, calls []memoryCall) {
	t.Helper()
	in := instantiate(t, module, Ports{Random: func(b []byte) { copy(b, "random") }})
	ctx, storage := context.Background(), answer{{rows[0][0]}}
	for i := range calls {
		c := &calls[i]
		before := must(in.Open(ctx, 0, nil, storage))(t)
		if statement, _ := hex.DecodeString(c.Statement); c.Random == 0 {
			c.Returned = binary.LittleEndian.Uint32(must(in.Step(ctx, c.Room, statement, storage))(t))
		} else if err := in.Drop(ctx, c.Random); err != nil {
			t.Fatal(err)
		}
		c.Changed = changed(before, must(in.Open(ctx, 0, nil, storage))(t))
	}
}

func changed(before, after []byte) map[uint32]string {
	runs := map[uint32]string{}
	for i := 0; i < len(after); i++ {
		start := i
		for i < len(after) && before[i] != after[i] {
			i++
		}
		if i > start {
			runs[uint32(start+4)] = hex.EncodeToString(after[start:i])
		}
	}
	return runs
}

func must(b []byte, err error) func(*testing.T) []byte {
	return func(t *testing.T) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}
