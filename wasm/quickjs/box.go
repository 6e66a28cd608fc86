package quickjs

import (
	"context"
	"encoding/hex"

	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/durable/script"
	"github.com/tributary-agents/tributary/wasm/quickjs/meter"
)

// intrinsics are those of the engine's parts that a script has: all but the clock performance and weak
// references, which are the bits 10 and 9.
const intrinsics = 1<<13 - 1 - 1<<10 - 1<<9

// The names of the two texts that a box evaluates. Stacks have them.
const (
	preludeName = "prelude"
	codeName    = "code"
)

// The functions of the prelude, in the order in which they are taken.
var verbs = []string{"begin", "answer", "take", "value", "fail"}

// box is one script in an instance of its own. After a limit is spent, it calls the engine no more.
type box struct {
	module api.Module
	fuel   api.MutableGlobal
	calls  map[string]api.Function
	ctx    context.Context
	now    int64
	work   int64
	// spent is the limit that the box has reached, or "".
	spent string
	// reports are those of the prelude.
	reports script.Reports
	// prelude is the prelude's value, and verbs are the functions that it has: pointers.
	prelude uint32
	verbs   map[string]uint32
	// used is when the box was used last, in requests of its host.
	used uint64
}

// openBox runs an Open. The box must be closed if the result says that it has ended.
func openBox(ctx context.Context, e *engine, o script.Open) (*box, script.Result) {
	b := &box{calls: map[string]api.Function{}, verbs: map[string]uint32{}}
	b.ctx = context.WithValue(ctx, boxKey{}, b)
	var err error
	if b.module, err = e.instantiate(b.ctx); err != nil {
		return b, script.Result{State: script.Spent, Words: script.SpentEngine}
	}
	b.fuel = b.module.ExportedGlobal(meter.Fuel).(api.MutableGlobal)
	b.request(0, o.Work)
	b.start(o)
	b.now = o.Now
	b.verb("begin", b.text(hex.EncodeToString(o.Seed[:])))
	b.evaluate(o.Code)
	return b, b.run()
}

// answer runs an Answer.
func (b *box) answer(a script.Answer) script.Result {
	b.request(a.Now, a.Work)
	number := b.pointer("qjs_new_number", api.EncodeF64(float64(a.Call)))
	ok := "qjs_get_false"
	if a.OK {
		ok = "qjs_get_true"
	}
	b.verb("answer", number, b.pointer(ok), b.text(a.JSON))
	return b.run()
}

// request sets the clock and the countdown.
func (b *box) request(now, work int64) {
	b.now, b.work = now, max(work, 0)
	b.fuel.Set(uint64(b.work))
}

// start starts the engine and evaluates the prelude, at a time that is always the same.
func (b *box) start(o script.Open) {
	b.call("_initialize")
	if b.call("qjs_init2", intrinsics) != 0 {
		b.spend(script.SpentEngine)
	}
	b.call("qjs_set_memory_limit", uint64(uint32(o.Memory)))
	b.call("qjs_set_max_stack_size", uint64(uint32(o.Stack)))
	b.prelude = b.eval(o.Prelude, preludeName)
	if b.call("qjs_is_exception", uint64(b.prelude)) != 0 {
		b.spend(script.SpentEngine)
	}
	for _, name := range verbs {
		key := b.write(name)
		b.verbs[name] = b.pointer("qjs_get_prop_string", uint64(b.prelude), uint64(key))
		b.call("wasm_free", uint64(key))
	}
}

// evaluate evaluates the code, and gives the prelude an exception.
func (b *box) evaluate(code string) {
	result := b.eval(code, codeName)
	thrown := b.call("qjs_is_exception", uint64(result)) != 0
	b.call("qjs_free_value", uint64(result))
	if thrown {
		b.verb("fail", b.pointer("qjs_get_exception"))
	}
}

// run runs the engine's jobs until none is left, and returns the prelude's report.
func (b *box) run() script.Result {
	for b.call("qjs_is_job_pending") != 0 {
		if int32(b.call("qjs_execute_pending_job")) < 0 {
			b.verb("fail", b.pointer("qjs_get_exception"))
		}
	}
	r, ok := b.reports.Read(b.take("take", script.MostReport))
	if !ok {
		b.spend(script.SpentEngine)
	}
	if b.spent == "" && r.State == script.Done {
		r.Value = b.take("value", script.MostValue)
		if !script.ReadValue(r.Value) {
			b.spend(script.SpentEngine)
		}
	}
	if b.spent != "" {
		r = script.Result{State: script.Spent, Words: b.spent}
	}
	r.Work, r.Bytes = b.work-int64(b.fuel.Get()), int64(b.module.Memory().Size())
	return r
}

// eval evaluates a text as a script, and returns a value.
func (b *box) eval(text, name string) uint32 {
	code, file := b.write(text), b.write(name)
	result := b.pointer("qjs_eval", uint64(code), uint64(len(text)), uint64(file), 0)
	b.call("wasm_free", uint64(code))
	b.call("wasm_free", uint64(file))
	return result
}

// verb calls a function of the prelude. It frees the arguments and the result.
func (b *box) verb(name string, args ...uint32) {
	b.call("qjs_free_value", uint64(b.invoke(name, args...)))
}

// take calls a function of the prelude that returns a text of at most most bytes. Nothing of a longer
// one is copied, nor of what is no text.
func (b *box) take(name string, most uint32) (text string) {
	value := b.invoke(name)
	if b.call("qjs_is_string", uint64(value)) == 0 {
		b.spend(script.SpentEngine)
	}
	size := b.pointer("wasm_malloc", 4)
	start := b.pointer("qjs_get_string_len", uint64(value), uint64(size))
	if length := b.get(size); length <= most {
		text = string(b.read(start, length))
	} else {
		b.spend(script.SpentEngine)
	}
	b.call("qjs_free_cstring", uint64(start))
	b.call("wasm_free", uint64(size))
	b.call("qjs_free_value", uint64(value))
	return text
}

// invoke calls a function of the prelude and frees the arguments. The prelude throws only where the
// memory is too small for it.
func (b *box) invoke(name string, args ...uint32) uint32 {
	var list uint32
	if len(args) > 0 {
		list = b.pointer("wasm_malloc", uint64(4*len(args)))
	}
	for i, arg := range args {
		b.set(list+uint32(4*i), arg)
	}
	result := b.pointer("qjs_call", uint64(b.verbs[name]), uint64(b.prelude), uint64(len(args)), uint64(list))
	if len(args) > 0 {
		b.call("wasm_free", uint64(list))
	}
	for _, arg := range args {
		b.call("qjs_free_value", uint64(arg))
	}
	if b.call("qjs_is_exception", uint64(result)) != 0 {
		b.spend(script.SpentMemory)
	}
	return result
}

// text returns a value that is a text.
func (b *box) text(s string) uint32 {
	at := b.write(s)
	value := b.pointer("qjs_new_string", uint64(at), uint64(len(s)))
	b.call("wasm_free", uint64(at))
	if b.call("qjs_is_exception", uint64(value)) != 0 {
		b.spend(script.SpentMemory)
	}
	return value
}
