package quickjs

import (
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/wasm/quickjs/meter"
)

// call calls an export of the engine. It returns 0 if a limit is spent.
func (b *box) call(name string, args ...uint64) uint32 {
	if b.spent != "" {
		return 0
	}
	results, err := b.function(name).Call(b.ctx, args...)
	if err != nil {
		b.spend(b.cause(err))
		return 0
	}
	if len(results) == 0 {
		return 0
	}
	return uint32(results[0])
}

// pointer calls an export that returns a pointer, which is 0 if the memory is spent.
func (b *box) pointer(name string, args ...uint64) uint32 {
	p := b.call(name, args...)
	if p == 0 {
		b.spend(spentMemory)
	}
	return p
}

func (b *box) function(name string) api.Function {
	f := b.calls[name]
	if f == nil {
		f = b.module.ExportedFunction(name)
		b.calls[name] = f
	}
	return f
}

// spend notes the first limit that is reached.
func (b *box) spend(limit string) {
	if b.spent == "" {
		b.spent = limit
	}
}

// cause returns the limit that a trap stands for.
func (b *box) cause(trap error) string {
	switch {
	case int32(b.module.ExportedGlobal(meter.Stack).Get()) < 0:
		return spentStack
	case b.fuel.Get() == 0:
		return spentWork
	case strings.Contains(trap.Error(), "stack overflow"):
		return spentStack
	}
	return spentEngine
}

// write copies a text into the engine's memory, with a zero behind it.
func (b *box) write(s string) uint32 {
	at := b.pointer("wasm_malloc", uint64(len(s)+1))
	if b.spent != "" {
		return 0
	}
	b.module.Memory().WriteString(at, s)
	b.module.Memory().WriteByte(at+uint32(len(s)), 0)
	return at
}

func (b *box) set(at, value uint32) {
	if b.spent == "" {
		b.module.Memory().WriteUint32Le(at, value)
	}
}

// length reads a length from the engine's memory.
func (b *box) length(at uint32) uint32 {
	if b.spent != "" {
		return 0
	}
	n, _ := b.module.Memory().ReadUint32Le(at)
	return n
}

func (b *box) read(at, length uint32) []byte {
	if b.spent != "" {
		return nil
	}
	data, _ := b.module.Memory().Read(at, length)
	return data
}

// close frees the instance.
func (b *box) close() {
	if b.module != nil {
		_ = b.module.Close(b.ctx) // there is nothing that could fail: the engine holds memory alone
	}
}
