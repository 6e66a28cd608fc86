package travel

import "go/types"

// These types are parts of the methods of a codec and of a reader.
var (
	bytes   = types.NewSlice(types.Typ[types.Uint8])
	number  = types.Typ[types.Int]
	failure = types.Universe.Lookup("error").Type()
)

// isLock says whether a type is one of sync or sync/atomic.
func isLock(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}

func refuseInterface(t types.Type) string {
	if has(t, "Read", bytes, number, failure) {
		return reader
	}
	return iface
}

// hasCodec says whether a type has a codec of its own: both methods of encoding's binary codec, or
// both of its text codec.
func hasCodec(t types.Type) bool { return speaks(types.NewPointer(t)) }

func speaks(t types.Type) bool {
	both := func(kind string) bool {
		return has(t, "Marshal"+kind, nil, bytes, failure) && has(t, "Unmarshal"+kind, bytes, failure)
	}
	return both("Binary") || both("Text")
}

// has says whether a type has a method with the given parameter and results. A nil parameter stands
// for none. It compares signatures, because the interfaces may not be loaded when a package is
// analysed.
func has(t types.Type, name string, parameter types.Type, results ...types.Type) bool {
	selection := types.NewMethodSet(t).Lookup(nil, name)
	if selection == nil {
		return false
	}
	signature := selection.Type().(*types.Signature)
	var parameters []types.Type
	if parameter != nil {
		parameters = append(parameters, parameter)
	}
	return same(signature.Params(), parameters) && same(signature.Results(), results)
}

func same(got *types.Tuple, want []types.Type) bool {
	if got.Len() != len(want) {
		return false
	}
	for i, w := range want {
		if !types.Identical(got.At(i).Type(), w) {
			return false
		}
	}
	return true
}
