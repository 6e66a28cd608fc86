package host

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// update returns the flag -update, which durabletest has defined.
func update() bool { return flag.Lookup("update").Value.String() == "true" }

const memoryFile = "testdata/memory.json"

// memoryGolden is the effect of the imports on a module's memory. The shim's tests compare the
// other host with the same file.
type memoryGolden struct {
	// Module is the module, in hexadecimal digits, and Scripts the same with script in place of sql.
	Module  string `json:"module"`
	Scripts string `json:"scripts"`
	// Row is the result of every statement.
	Row   []string     `json:"row"`
	Cases []memoryCase `json:"cases"`
}

// memoryCase is some calls to a new instance.
type memoryCase struct {
	Name string `json:"name"`
	// Script says that the instance is one of the module Scripts, and a Statement a request for it.
	Script bool         `json:"script,omitempty"`
	Calls  []memoryCall `json:"calls"`
	// Changed are the changed runs of bytes, by address.
	Changed map[uint32]string `json:"changed"`
}

// memoryCall is a call of sql, or of random if a number of random bytes is given.
type memoryCall struct {
	Statement string `json:"statement"`
	Room      uint32 `json:"room"`
	Random    uint32 `json:"random"`
}

// answer is a storage with one fixed answer.
type answer []durable.Row

func (a answer) SQL(string, []any) ([]durable.Row, error) { return a, nil }

func TestMemory(t *testing.T) {
	module := tiny(abi.Namespace)
	row := []string{strings.Repeat("r", 40)}
	statement := hex.EncodeToString(abi.Statement{SQL: "s"}.Encode())
	sql := func(room uint32) memoryCall { return memoryCall{Statement: statement, Room: room} }
	scripts, request := tinyOf(abi.Namespace, "script"), hex.EncodeToString(script.Close{Box: 1}.Encode())
	ask := func(room uint32) memoryCall { return memoryCall{Statement: request, Room: room} }
	golden := memoryGolden{Module: hex.EncodeToString(module), Scripts: hex.EncodeToString(scripts), Row: row, Cases: []memoryCase{
		{Name: "there is room", Calls: []memoryCall{sql(64)}},
		{Name: "there is exactly enough room", Calls: []memoryCall{sql(46)}},
		{Name: "a byte is missing", Calls: []memoryCall{sql(45)}},
		{Name: "there is no room", Calls: []memoryCall{sql(0)}},
		{Name: "fetched by a second call", Calls: []memoryCall{sql(45), {Room: 46}}},
		{Name: "random bytes", Calls: []memoryCall{{Random: 5}}},
		{Name: "there is room for a script", Script: true, Calls: []memoryCall{ask(64)}},
		{Name: "there is exactly enough room for a script", Script: true, Calls: []memoryCall{ask(8)}},
		{Name: "a byte is missing for a script", Script: true, Calls: []memoryCall{ask(7)}},
		{Name: "a script fetched by a second call", Script: true, Calls: []memoryCall{ask(7), {Room: 8}}},
	}}
	for i, c := range golden.Cases {
		in := module
		if c.Script {
			in = scripts
		}
		run(t, in, row[0], &golden.Cases[i])
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

// run makes the calls on a new instance and notes what they changed.
func run(t *testing.T, module []byte, text string, c *memoryCase) {
	t.Helper()
	in := instantiate(t, module, Ports{Random: func(b []byte) { copy(b, "random") }})
	ctx, storage := context.Background(), answer{{text}}
	before := must(in.Open(ctx, 0, nil, storage))(t)
	for _, call := range c.Calls {
		if call.Random > 0 {
			if err := in.Drop(ctx, call.Random); err != nil {
				t.Fatal(err)
			}
			continue
		}
		must(in.Step(ctx, call.Room, unhex(t, call.Statement), storage))(t)
	}
	c.Changed = changed(before, must(in.Open(ctx, 0, nil, storage))(t))
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	return must(hex.DecodeString(s))(t)
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
