package snapshot

import (
	"context"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/wasm/abi"
)

// host is what a module's start sees of the outside: a clock that hardly moves, the key as its randomness, no
// arguments, no environment, no files. It notes what must not be in a snapshot.
type host struct {
	key Key
	// seeded says that the runtime has drawn its seed.
	seeded bool
	// reason says what the start does that it would have to do in each instance, or is "".
	reason string
	said   strings.Builder
	now    uint64
	// reads is how often the clock on the wall was read.
	reads uint32
}

const wasi = "wasi_snapshot_preview1"

// The results of functions of wasi.
const (
	success = 0
	badFile = 8
)

// function is a function of the host. It returns what it says to the module, or nothing.
type function func(m api.Module, args []uint64) uint64

// provide makes every function that a module imports.
func (h *host) provide(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) error {
	builders := map[string]wazero.HostModuleBuilder{}
	for _, f := range m.ImportedFunctions() {
		from, name, _ := f.Import()
		if builders[from] == nil {
			builders[from] = r.NewHostModuleBuilder(from)
		}
		run, results := h.function(from, name), f.ResultTypes()
		builders[from].NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
			if answer := run(m, stack); len(results) > 0 {
				stack[0] = answer
			}
		}), f.ParamTypes(), results).Export(name)
	}
	for from, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// function returns the function of the host with a name.
func (h *host) function(from, name string) function {
	if from != wasi {
		return func(api.Module, []uint64) uint64 {
			h.note("calls the host (%s)", strings.TrimPrefix(name, abi.Namespace))
			return 0
		}
	}
	switch name {
	case "args_sizes_get", "environ_sizes_get":
		return zeros
	case "args_get", "environ_get", "sched_yield":
		return func(api.Module, []uint64) uint64 { return success }
	case "clock_time_get":
		return h.clock
	case "random_get":
		return h.random
	case "fd_write":
		return h.write
	case "poll_oneoff":
		return h.wait
	case "proc_exit":
		return func(_ api.Module, args []uint64) uint64 { panic(fmt.Sprint("it exits with code ", args[0])) }
	}
	return func(api.Module, []uint64) uint64 {
		if strings.HasPrefix(name, "path_") || strings.HasPrefix(name, "sock_") {
			h.note("opens a file (%s)", name)
		}
		return badFile
	}
}

// line returns the first line that the module has written, or else of an error.
func (h *host) line(err error) string {
	text := strings.TrimSpace(h.said.String())
	if text == "" && err != nil {
		text = err.Error()
	}
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("%.300s", line)
}

// note keeps the first reason.
func (h *host) note(format string, args ...any) {
	if h.reason == "" {
		h.reason = fmt.Sprintf(format, args...)
	}
}

func zeros(m api.Module, args []uint64) uint64 {
	for _, at := range args {
		m.Memory().WriteUint32Le(uint32(at), 0)
	}
	return success
}

// realtime is the id of the clock on the wall. The other one is for the runtime's own measurements.
const realtime = 0

func (h *host) clock(m api.Module, args []uint64) uint64 {
	h.now++
	if args[0] == realtime {
		h.reads++
	}
	m.Memory().WriteUint64Le(uint32(args[2]), h.now)
	return success
}

// longestOwn is how long the runtime itself waits at most, in nanoseconds. It does so when it dies.
const longestOwn = 1_000_000

func (h *host) wait(m api.Module, args []uint64) uint64 {
	subscription, happened := uint32(args[0]), uint32(args[1])
	timeout, _ := m.Memory().ReadUint64Le(subscription + 24)
	if timeout > longestOwn {
		h.note("waits")
		panic(h.reason)
	}
	h.now += timeout
	who, _ := m.Memory().ReadUint64Le(subscription)
	m.Memory().Write(happened, make([]byte, 32))
	m.Memory().WriteUint64Le(happened, who)
	m.Memory().WriteUint32Le(uint32(args[3]), 1)
	return success
}

func (h *host) random(m api.Module, args []uint64) uint64 {
	if h.seeded || int(args[1]) != len(h.key) {
		h.note("draws randomness")
	}
	h.seeded = true
	m.Memory().Write(uint32(args[0]), h.key[:min(len(h.key), int(args[1]))])
	return success
}

// write keeps the first words of a start: they are the reason if it fails.
func (h *host) write(m api.Module, args []uint64) uint64 {
	total := uint32(0)
	for i := range uint32(args[2]) {
		at, _ := m.Memory().ReadUint32Le(uint32(args[1]) + 8*i)
		length, _ := m.Memory().ReadUint32Le(uint32(args[1]) + 8*i + 4)
		text, _ := m.Memory().Read(at, length)
		if h.said.Len() < 1000 {
			h.said.Write(text[:min(len(text), 1000)])
		}
		total += length
	}
	m.Memory().WriteUint32Le(uint32(args[3]), total)
	return success
}
