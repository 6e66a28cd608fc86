package travel

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// walk visits a type and reports everything in it that cannot travel.
type walk struct{ report func(path, reason string) }

// visit checks a type. above are the types that contain it.
func (w walk) visit(t types.Type, path string, above []types.Type) {
	t = types.Unalias(t)
	if slices.ContainsFunc(above, func(a types.Type) bool { return types.Identical(a, t) }) {
		w.report(path, recursion)
		return
	}
	above = append(slices.Clip(above), t)
	if _, ok := t.(*types.TypeParam); ok {
		w.report(path, unbound)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		w.report(path, refuseInterface(t))
		return
	case *types.Struct:
		if hasCodec(t) {
			w.promoted(u, path)
			return
		}
	}
	switch {
	case isLock(t):
		w.report(path, lock)
	case !hasCodec(t):
		w.inside(t.Underlying(), path, above)
	}
}

func (w walk) inside(u types.Type, path string, above []types.Type) {
	switch u := u.(type) {
	case *types.Basic:
		w.basic(u, path)
	case *types.Chan:
		w.report(path, channel)
	case *types.Signature:
		w.report(path, function)
	case *types.Slice:
		w.visit(u.Elem(), path+"[]", above)
	case *types.Array:
		w.visit(u.Elem(), path+"[]", above)
	case *types.Map:
		w.table(u, path, above)
	case *types.Pointer:
		w.pointer(u, path, above)
	case *types.Struct:
		w.fields(u, path, above)
	}
}

func (w walk) basic(b *types.Basic, path string) {
	switch {
	case b.Info()&types.IsComplex != 0:
		w.report(path, complexes)
	case b.Kind() == types.Uintptr || b.Kind() == types.UnsafePointer:
		w.report(path, address)
	}
}

func (w walk) table(m *types.Map, path string, above []types.Type) {
	key, ok := m.Key().Underlying().(*types.Basic)
	if !ok || key.Info()&(types.IsString|types.IsInteger) == 0 || key.Kind() == types.Uintptr || hasCodec(m.Key()) {
		w.report(path, mapKey)
		return
	}
	w.visit(m.Elem(), path+"[]", above)
}

func (w walk) pointer(p *types.Pointer, path string, above []types.Type) {
	sound := true
	inner := walk{func(path, reason string) { sound = false; w.report(path, reason) }}
	inner.visit(p.Elem(), path, above)
	if !sound || hasCodec(p.Elem()) {
		return
	}
	switch p.Elem().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		w.report(path, twoNils)
	}
}

func (w walk) fields(s *types.Struct, path string, above []types.Type) {
	taken := map[string]bool{}
	for i := range s.NumFields() {
		f := s.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("msgpack"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		step := path + "." + f.Name()
		switch {
		case !f.Exported() && !isLock(f.Type()):
			w.report(step, unexport)
		case taken[name]:
			w.report(step, sameName)
		default:
			w.visit(f.Type(), step, above)
		}
		taken[name] = true
	}
}

func (w walk) promoted(s *types.Struct, path string) {
	for i := range s.NumFields() {
		if f := s.Field(i); f.Embedded() && (hasCodec(f.Type()) || speaks(f.Type())) {
			w.report(path+"."+f.Name(), promoted)
			return
		}
	}
}
