package host

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/wasm/abi"
)

func compile(t *testing.T, module []byte) (*Module, error) {
	t.Helper()
	m, err := Compile(t.Context(), module, Options{CacheDir: t.TempDir()})
	if err == nil {
		t.Cleanup(func() { _ = m.Close(context.Background()) })
	}
	return m, err
}

func instantiate(t *testing.T, module []byte, p Ports) *Instance {
	t.Helper()
	m, err := compile(t, module)
	if err != nil {
		t.Fatal(err)
	}
	p.Now = func() int64 { return 1 }
	p.Seed = func([]byte) {}
	in, err := m.Instantiate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestVersions(t *testing.T) {
	_, err := compile(t, tiny("tributary_v5"))
	if want := (abi.VersionError{Host: abi.Version, Guest: 5}); !errors.Is(err, want) {
		t.Errorf("another version: got error %v, want %v", err, want)
	}
	if _, err := compile(t, tiny("env")); err == nil || !strings.Contains(err.Error(), "no module of Tributary") {
		t.Errorf("another module: got error %v", err)
	}
	if _, err := compile(t, []byte("nonsense")); err == nil {
		t.Error("nonsense: got nil, want an error")
	}
}

// TestDead shows that no call reaches an instance after a trap. Here the host itself panics inside
// an import.
func TestDead(t *testing.T) {
	in := instantiate(t, tiny(abi.Namespace), Ports{Random: func([]byte) { panic("no randomness") }})
	trap, ok := errors.AsType[*Trap](in.Drop(t.Context(), 8))
	if !ok || !strings.Contains(trap.Error(), "no randomness") {
		t.Fatalf("got %v, want a trap", trap)
	}
	if _, err := in.Step(t.Context(), 8, nil, nil); !errors.Is(err, ErrDead) {
		t.Errorf("after the trap: got error %v, want ErrDead", err)
	}
}

// TestMalformedScript shows that a guest traps whose request for a script is none.
func TestMalformedScript(t *testing.T) {
	in := instantiate(t, tinyOf(abi.Namespace, "script"), Ports{})
	if _, err := in.Step(t.Context(), 64, []byte{0x90}, nil); err == nil || !strings.Contains(err.Error(), "script: malformed request") {
		t.Errorf("got error %v, want a trap", err)
	}
	if _, err := in.Step(t.Context(), 64, nil, nil); !errors.Is(err, ErrDead) {
		t.Errorf("after the trap: got error %v, want ErrDead", err)
	}
}

// TestOutside shows that a guest with invalid pointers traps, and that the host then reads and
// writes nothing.
func TestOutside(t *testing.T) {
	in := instantiate(t, tiny(abi.Namespace), Ports{Random: func([]byte) { t.Error("the host was reached") }})
	if err := in.Drop(t.Context(), 64000); err == nil || !strings.Contains(err.Error(), "outside the module's memory") {
		t.Errorf("got error %v", err)
	}
}

func TestClock(t *testing.T) {
	now := int64(0)
	c := &clock{now: func() int64 { return now }}
	var last int64
	for _, now = range []int64{0, 0, 5, 5, 3, 1_700_000_000_000} {
		if got := c.read(); got <= last || got < now*1_000_000 {
			t.Errorf("at %d ms: got %d after %d", now, got, last)
		} else {
			last = got
		}
	}
	c.wait(maxWait)
	if got := c.read(); got <= last+maxWait {
		t.Errorf("after a wait: got %d after %d", got, last)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wait that is too long: got no panic")
		}
	}()
	c.wait(maxWait + 1)
}
