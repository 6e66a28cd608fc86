package heap

import (
	"runtime"
	"testing"
)

// TestOthersAreNotCounted measures a function beside an allocation of another one.
func TestOthersAreNotCounted(t *testing.T) {
	calls, kept := 0, []byte(nil)
	took := Allocated(func() {
		calls++
		kept = make([]byte, 1<<20)
		if calls == 1 {
			kept = append(kept, make([]byte, 8<<20)...) // somebody else's
		}
	})
	if took < 1<<20 || took > 2<<20 {
		t.Errorf("a function that allocates 1 MiB allocates %d bytes", took)
	}
	runtime.KeepAlive(kept)
}

func TestInUse(t *testing.T) {
	before := InUse()
	kept := make([]byte, 8<<20)
	if held := InUse() - before; held < 8<<20 || held > 9<<20 {
		t.Errorf("8 MiB that are reachable are %d bytes", held)
	}
	runtime.KeepAlive(kept)
	if after := InUse(); after > before+1<<20 {
		t.Errorf("%d bytes are left", after-before)
	}
}
