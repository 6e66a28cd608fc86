// Package snapshot builds a module that has started already. It runs the start of a module that Go has linked
// for wasip1, and writes the memory and the globals as they are then into a module that needs no start.
// README.md beside this file says why that is sound.
package snapshot

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/internal/section"
)

// ErrUnfit is wrapped by the error for each module of which there is no snapshot, with the reason in words. Such a
// module is used as the linker leaves it.
var ErrUnfit = errors.New("no snapshot of the module")

func unfit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnfit, fmt.Sprintf(format, args...))
}

// Key is what the seed of Go's runtime is during the start. The keys of its hash function are drawn from it, and
// stay in the snapshot: a stranger must not know it. The same key and the same module give the same snapshot.
type Key [32]byte

const (
	exportStart = "_initialize"
	exportImage = "snapshot"
	pageSize    = 64 << 10
	// resting is how many goroutines there are behind the start of a module that starts none: the one that is
	// asked.
	resting = 1
)

// Take returns the snapshot of a module. An error wraps [ErrUnfit], or says what is wrong with the module.
func Take(ctx context.Context, linked []byte, key Key) ([]byte, error) {
	m, err := section.Split(linked)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	exports, err := m.Exports()
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	globals, err := m.Globals()
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if !slices.ContainsFunc(exports, func(e section.Exported) bool { return e.Name == exportImage }) {
		return nil, unfit("it does not export %s", exportImage)
	}
	if m.Has(section.Start) {
		return nil, unfit("it has a start function")
	}
	s, err := run(ctx, watched(m, exports, globals), key, globals)
	if err != nil {
		return nil, err
	}
	m.SetGlobals(s.globals)
	m.SetExports(slices.DeleteFunc(exports, func(e section.Exported) bool { return e.Name == exportStart || e.Name == exportImage }))
	m.SetData(section.Segments(s.memory))
	if err := m.GrowMemory(uint32(len(s.memory) / pageSize)); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return m.Join(), nil
}

// watched returns a module that exports its mutable globals too.
func watched(m *section.Module, exports []section.Exported, globals []section.Variable) []byte {
	all := slices.Clone(exports)
	for i, g := range globals {
		if g.Mutable {
			all = append(all, section.Exported{Name: globalName(i), Kind: section.KindGlobal, Index: uint32(i)})
		}
	}
	watching := *m
	watching.SetExports(all)
	return watching.Join()
}

func globalName(i int) string { return fmt.Sprint("global ", i) }

// state is that of an instance between two calls.
type state struct {
	memory  []byte
	globals []section.Variable
}

// run runs the start of a module, and returns the state behind it.
func run(ctx context.Context, module []byte, key Key, globals []section.Variable) (state, error) {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(2048))
	defer func() { _ = r.Close(ctx) }()
	compiled, err := r.CompileModule(ctx, module)
	if err != nil {
		return state{}, fmt.Errorf("snapshot: %w", err)
	}
	h := &host{key: key}
	if err := h.provide(ctx, r, compiled); err != nil {
		return state{}, fmt.Errorf("snapshot: %w", err)
	}
	in, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions(exportStart))
	var image []uint64
	reads := h.reads
	if err == nil && h.reason == "" {
		image, err = in.ExportedFunction(exportImage).Call(ctx)
	}
	switch {
	case h.reason != "":
		return state{}, unfit("its start %s", h.reason)
	case err != nil:
		return state{}, unfit("its start ends with an error: %s", h.line(err))
	case h.said.Len() > 0:
		return state{}, unfit("its start writes: %s", h.line(nil))
	}
	memory, ok := in.Memory().Read(0, in.Memory().Size())
	if !ok {
		return state{}, unfit("its memory cannot be read")
	}
	s := state{memory: slices.Clone(memory), globals: slices.Clone(globals)}
	for i, g := range globals {
		if g.Mutable {
			s.globals[i].Value = valueOf(g, in.ExportedGlobal(globalName(i)))
		}
	}
	return s, s.complete(uint32(image[0]), key, reads)
}

func valueOf(g section.Variable, now api.Global) int64 {
	if g.Type == section.TypeI32 {
		return int64(int32(now.Get()))
	}
	return int64(now.Get())
}

// The fields of the image that the module has at the address that its export returns, in bytes: see
// wasm/guest/image.go.
const (
	imageGoroutines  = 0
	imageCollections = 4
	imageTaken       = 8
	imageRandom      = 12
	imageZero        = imageRandom + 4*8
	imageSize        = imageZero + 4*8
)

// complete checks that nothing waits and that the time was not read, and tells the instances of the snapshot what
// they have to draw anew.
func (s *state) complete(image uint32, key Key, reads uint32) error {
	if int(image)+imageSize > len(s.memory) {
		return unfit("its image is outside of its memory")
	}
	fields := s.memory[image:]
	if n := binary.LittleEndian.Uint32(fields[imageGoroutines:]); n != resting {
		return unfit("its start leaves %d goroutines that wait", int(n)-resting)
	}
	if reads > binary.LittleEndian.Uint32(fields[imageCollections:]) {
		return unfit("its start reads the time")
	}
	at, err := findGenerators(s.memory, key)
	if err != nil {
		return err
	}
	clear(fields[:imageSize])
	binary.LittleEndian.PutUint32(fields[imageTaken:], 1)
	for i, g := range at {
		put(fields[imageRandom+8*i:], g.seed, seedSize)
		put(fields[imageZero+8*i:], g.seed+seedSize, countersSize)
		clear(s.memory[g.seed-bufferSize : g.seed+seedSize+countersSize])
	}
	return nil
}

func put(field []byte, address, size int) {
	binary.LittleEndian.PutUint32(field, uint32(address))
	binary.LittleEndian.PutUint32(field[4:], uint32(size))
}
