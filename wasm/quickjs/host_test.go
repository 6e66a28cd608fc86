package quickjs_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"

	embedded "github.com/tributary-agents/tributary/internal/embedded/quickjs"

	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

// TestEngine compares the hash that journals carry with the embedded engine.
func TestEngine(t *testing.T) {
	if sum := sha256.Sum256(embedded.Engine); hex.EncodeToString(sum[:]) != script.Engine {
		t.Errorf("the embedded engine has the SHA-256 %x, and script.Engine is %s", sum, script.Engine)
	}
}

// TestProcess shows that the import of the package gives scripts a host, for worlds whose clocks differ.
func TestProcess(t *testing.T) {
	box := open(t, 1<<40, "return await tools.get()")
	if r := box.Run(); r.State != script.Waits || len(r.Calls) != 1 {
		t.Fatalf("got %+v", r)
	}
	later := open(t, 1<<40+1, "return 1")
	later.Now += 2 * quickjs.MostWait
	later.Run()
	r := script.Answer{Box: box.Box, Call: 1, OK: true, JSON: `"x"`, Work: box.Work}.Run()
	if r.State != script.Done || r.Value != `"x"` {
		t.Errorf("got %+v", r)
	}
}

// TestGoroutines shows that several goroutines can use a host, each with boxes of its own, and that
// they get the results that they get alone.
func TestGoroutines(t *testing.T) {
	host := quickjs.New()
	defer host.Close()
	want := runs(t, host, 1000)
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 5 {
				if got := runs(t, host, int64(g*100+i)); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	wait.Wait()
}

// runs runs a script of two calls and returns its results.
func runs(t *testing.T, host *quickjs.Host, number int64) string {
	box := open(t, number, "const a = await tools.get('a')\nreturn [a, Math.random(), await tools.get('b')]")
	results := []string{string(host.Call(box.Encode()))}
	for call := range int64(2) {
		results = append(results, string(host.Call(script.Answer{Box: number, Call: call + 1, OK: true, JSON: "7", Work: box.Work}.Encode())))
	}
	return fmt.Sprintf("%q", results)
}

// TestMalformed shows that bytes which are no request are a mistake of the caller.
func TestMalformed(t *testing.T) {
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "malformed") {
			t.Errorf("got %s", said)
		}
	}()
	quickjs.New().Call([]byte{1, 2, 3})
}

// FuzzCode shows that whatever code does, the host gives a result that its work bounds, and that the
// code which runs next is not changed by it.
func FuzzCode(f *testing.F) {
	for _, code := range []string{
		"return 1", "await tools.get(1)", "console.log(x)", "}); (async () => {", "JSON.stringify = 1", "throw null",
		"Object.prototype.then = f => f()", "for (;;) {}", "Promise.prototype.constructor = null", "import('x')",
	} {
		f.Add(code)
	}
	host := quickjs.New()
	f.Fuzz(func(t *testing.T, code string) {
		box := open(t, 1, code)
		box.Work = 2_000_000
		r, err := script.DecodeResult(host.Call(box.Encode()))
		if err != nil || r.Work < 0 || r.Work > box.Work || r.State == script.Gone || r.Words == "engine" {
			t.Fatalf("got %+v, %v", r, err)
		}
		again, err := script.DecodeResult(host.Call(box.Encode()))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("got %+v, then %+v, %v", r, again, err)
		}
	})
}

func open(t *testing.T, box int64, code string) script.Open {
	t.Helper()
	return script.Open{
		Box: box, Prelude: prelude(t, []string{"get"}), Code: "$run(async () => {" + code + "\n})",
		Now: 1, Memory: 16 << 20, Stack: 256 << 10, Work: 50_000_000,
	}
}
