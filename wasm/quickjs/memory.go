package quickjs

import (
	"encoding/binary"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/durable/script"
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
		b.spend(script.SpentMemory)
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
		return script.SpentStack
	case b.fuel.Get() == 0:
		return script.SpentWork
	case strings.Contains(trap.Error(), "stack overflow"):
		return script.SpentStack
	}
	return script.SpentEngine
}

// write copies a text into the engine's memory, with a zero behind it.
func (b *box) write(s string) uint32 {
	at := b.pointer("wasm_malloc", uint64(len(s)+1))
	if room := b.read(at, uint32(len(s)+1)); room != nil {
		room[copy(room, s)] = 0
		return at
	}
	return 0
}

// set writes a number of four bytes.
func (b *box) set(at, value uint32) {
	if room := b.read(at, 4); room != nil {
		binary.LittleEndian.PutUint32(room, value)
	}
}

// get reads a number of four bytes.
func (b *box) get(at uint32) uint32 {
	if room := b.read(at, 4); room != nil {
		return binary.LittleEndian.Uint32(room)
	}
	return 0
}

// read returns a part of the engine's memory, or nil if a limit is spent. A part that the memory does
// not have is a failure of the engine.
func (b *box) read(at, length uint32) []byte {
	if b.spent != "" {
		return nil
	}
	part, ok := b.module.Memory().Read(at, length)
	if !ok {
		b.spend(script.SpentEngine)
	}
	return part
}

// close frees the instance.
func (b *box) close() {
	if b.module != nil {
		_ = b.module.Close(b.ctx) // there is nothing that could fail: the engine holds memory alone
	}
}
