package host

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

// callerKey is the context key of the calling [Instance]. The imports need it because all instances
// of a runtime share them.
type callerKey struct{}

func caller(ctx context.Context) *Instance { return ctx.Value(callerKey{}).(*Instance) }

// instantiateImports makes the module from which guests import their five functions.
// ../abi/README.md is their manual.
func instantiateImports(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(abi.Namespace)
	b.NewFunctionBuilder().WithFunc(importSQL).Export("sql")
	b.NewFunctionBuilder().WithFunc(importCost).Export("cost")
	b.NewFunctionBuilder().WithFunc(importScript).Export("script")
	b.NewFunctionBuilder().WithFunc(importRandom).Export("random")
	b.NewFunctionBuilder().WithFunc(importLog).Export("log")
	if _, err := b.Instantiate(ctx); err != nil {
		return fmt.Errorf("host: imports: %w", err)
	}
	return nil
}

func importSQL(ctx context.Context, m api.Module, ptr, length, buffer, capacity uint32) uint32 {
	in := caller(ctx)
	return in.answer("sql", in.runSQL, m, ptr, length, buffer, capacity)
}

func importScript(ctx context.Context, m api.Module, ptr, length, room, capacity uint32) uint32 {
	in := caller(ctx)
	return in.answer("script", in.runScript, m, ptr, length, room, capacity)
}

// answer gives the guest the result of a request, or the one that is kept if there is no request.
func (in *Instance) answer(call string, run func(request []byte) []byte, m api.Module, ptr, length, buffer, capacity uint32) uint32 {
	result := in.kept
	if length > 0 {
		request := view(m, ptr, length)
		result = run(request)
		in.trace(call, request, result)
	}
	return in.give(m, result, buffer, capacity)
}

func importCost(ctx context.Context, m api.Module, buffer, capacity uint32) uint32 {
	in := caller(ctx)
	var costs []durable.Cost
	if meter, ok := in.storage.(durable.Meter); ok {
		costs = meter.Costs()
	}
	result := abi.EncodeCosts(costs)
	in.trace("cost", result)
	return in.give(m, result, buffer, capacity)
}

// give writes a result to the guest's buffer if it fits, keeps it otherwise, and returns its size.
func (in *Instance) give(m api.Module, result []byte, buffer, capacity uint32) uint32 {
	in.kept = nil
	if n := uint32(len(result)); n > capacity {
		in.kept = result
	} else {
		copy(view(m, buffer, n), result)
	}
	return uint32(len(result))
}

func importRandom(ctx context.Context, m api.Module, ptr, length uint32) {
	in, b := caller(ctx), view(m, ptr, length)
	in.ports.Random(b)
	in.trace("random", b)
}

func importLog(ctx context.Context, m api.Module, level, ptr, length uint32) {
	in, text := caller(ctx), view(m, ptr, length)
	in.trace("log", []byte{byte(level)}, text)
	if in.ports.Log != nil {
		in.ports.Log(abi.LogLevel(level), string(text))
	}
}

// view returns the guest's own bytes. The guest traps if they are not in its memory.
func view(m api.Module, ptr, length uint32) []byte {
	b, ok := m.Memory().Read(ptr, length)
	if !ok {
		panic(fmt.Errorf("host: %d bytes at %#x are outside the module's memory", length, ptr))
	}
	return b
}

func (in *Instance) runSQL(statement []byte) []byte {
	s, err := abi.DecodeStatement(statement)
	if err != nil {
		panic(fmt.Errorf("host: sql: %w", err))
	}
	rows, err := in.storage.SQL(in.text(s), s.Args)
	if err != nil {
		return abi.Result{Error: err.Error()}.Encode()
	}
	return abi.Result{Rows: rows}.Encode()
}

func (in *Instance) runScript(request []byte) []byte {
	if in.scripts == nil {
		in.scripts = quickjs.New()
	}
	return in.scripts.Call(request)
}

// text returns the text of a statement, and keeps it if it is numbered.
func (in *Instance) text(s abi.Statement) string {
	switch next := len(in.texts) + 1; {
	case s.Number == 0:
		return s.SQL
	case s.SQL == "" && s.Number > 0 && s.Number < next:
		return in.texts[s.Number-1]
	case s.SQL == "" || s.Number != next || next > abi.MaxStatements:
		panic(fmt.Errorf("host: sql: statement %d after %d", s.Number, len(in.texts)))
	}
	in.texts = append(in.texts, s.SQL)
	return s.SQL
}

func (in *Instance) trace(call string, bytes ...[]byte) {
	if in.ports.Trace != nil {
		in.ports.Trace(call, bytes...)
	}
}
