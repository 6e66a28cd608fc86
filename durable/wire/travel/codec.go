package travel

import "go/types"

// isLock tells the types of sync and sync/atomic.
func isLock(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}

func refuseInterface(t types.Type) string {
	if has(t, "Read", "[]byte", "int", "error") {
		return reader
	}
	return iface
}

// hasCodec tells whether a type brings its codec along: both halves of
// encoding's binary one, or both of its text one.
func hasCodec(t types.Type) bool { return speaks(types.NewPointer(t)) }

func speaks(t types.Type) bool {
	both := func(kind string) bool {
		return has(t, "Marshal"+kind, "", "[]byte", "error") && has(t, "Unmarshal"+kind, "[]byte", "error")
	}
	return both("Binary") || both("Text")
}

// has tells whether a type has a method with this parameter, or none, and these
// results. The interfaces themselves may not be loaded where a package is
// analysed, so the signature is compared by its words.
func has(t types.Type, name, parameter string, results ...string) bool {
	selection := types.NewMethodSet(t).Lookup(nil, name)
	if selection == nil {
		return false
	}
	signature := selection.Type().(*types.Signature)
	parameters := []string{parameter}
	if parameter == "" {
		parameters = nil
	}
	return spells(signature.Params(), parameters) && spells(signature.Results(), results)
}

func spells(tuple *types.Tuple, want []string) bool {
	if tuple.Len() != len(want) {
		return false
	}
	for i, w := range want {
		if types.TypeString(types.Unalias(tuple.At(i).Type()), nil) != w {
			return false
		}
	}
	return true
}
