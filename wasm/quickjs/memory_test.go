package quickjs

import (
	"context"
	"math"
	"testing"

	"github.com/tributary-agents/tributary/durable/script"
)

// TestMemory shows that a place which the engine's memory does not have is a failure of the engine,
// whatever pointer and length the engine has returned.
func TestMemory(t *testing.T) {
	for name, test := range map[string]struct {
		use  func(b *box, size uint32)
		want string
	}{
		"all of it":           {func(b *box, size uint32) { b.read(0, size) }, ""},
		"the last four bytes": {func(b *box, size uint32) { b.set(size-4, b.get(size-4)) }, ""},
		"nothing, at the end": {func(b *box, size uint32) { b.read(size, 0) }, ""},
		"read behind the end": {func(b *box, size uint32) { b.read(size, 1) }, script.SpentEngine},
		"read across the end": {func(b *box, size uint32) { b.read(size-1, 2) }, script.SpentEngine},
		"read that overflows": {func(b *box, size uint32) { b.read(math.MaxUint32, math.MaxUint32) }, script.SpentEngine},
		"get across the end":  {func(b *box, size uint32) { b.get(size - 3) }, script.SpentEngine},
		"set across the end":  {func(b *box, size uint32) { b.set(size-3, 1) }, script.SpentEngine},
		"a limit is kept":     {func(b *box, size uint32) { b.spend(script.SpentWork); b.read(size, 1) }, script.SpentWork},
	} {
		b := &box{ctx: context.Background()}
		var err error
		if b.module, err = compile().instantiate(b.ctx); err != nil {
			t.Fatal(err)
		}
		if test.use(b, b.module.Memory().Size()); b.spent != test.want {
			t.Errorf("%s: got %q, want %q", name, b.spent, test.want)
		}
		b.close()
	}
}
