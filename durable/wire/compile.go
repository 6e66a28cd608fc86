package wire

import (
	"errors"
	"io"
	"reflect"
	"slices"
)

// Why a type cannot cross the wire. durable/wire/travel has the same texts, and a test compares the
// two.
var (
	errChannel   = errors.New("a channel cannot travel between objects")
	errFunction  = errors.New("a function cannot travel between objects")
	errReader    = errors.New("a reader cannot travel between objects: declare a stream")
	errInterface = errors.New("an interface cannot travel between objects: the other end would not know what to make of it")
	errAddress   = errors.New("an address cannot travel between objects: it means nothing there")
	errComplex   = errors.New("a complex number cannot travel between objects: msgpack has none")
	errLock      = errors.New("a lock cannot travel between objects: they share no memory")
	errUnexport  = errors.New("an unexported field would be lost: export it, or leave it behind with `msgpack:\"-\"`")
	errRecursion = errors.New("a type that holds itself cannot travel between objects: its values have no bound")
	errKey       = errors.New("a map's key must be a text or a whole number")
	errTwoNils   = errors.New("a pointer to what can be nil itself cannot travel between objects: the two nils are one on the wire")
	errSameName  = errors.New("another field has this name on the wire")
	errPromoted  = errors.New("an embedded type with a codec would speak for the whole struct: give the field a name")
)

// compile makes the codec of a type. above are the types that contain it.
func compile(t reflect.Type, above []reflect.Type) (codec, error) {
	if slices.Contains(above, t) {
		return nil, errRecursion
	}
	above = append(slices.Clip(above), t)
	switch c, err := ownCodec(t); {
	case t.Kind() == reflect.Interface:
		return nil, refuseInterface(t)
	case isLock(t):
		return nil, errLock
	case c != nil || err != nil:
		return c, err
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return compileList(t, above)
	case reflect.Map:
		return compileTable(t, above)
	case reflect.Pointer:
		return compilePointer(t, above)
	case reflect.Struct:
		return compileStruct(t, above)
	default:
		return compileScalar(t.Kind())
	}
}

func compileScalar(k reflect.Kind) (codec, error) {
	switch k {
	case reflect.Bool:
		return boolCodec{}, nil
	case reflect.String:
		return textCodec{}, nil
	case reflect.Float32, reflect.Float64:
		return floatCodec{}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intCodec{}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return uintCodec{}, nil
	case reflect.Chan:
		return nil, errChannel
	case reflect.Func:
		return nil, errFunction
	case reflect.Complex64, reflect.Complex128:
		return nil, errComplex
	default:
		return nil, errAddress
	}
}

func isLock(t reflect.Type) bool { return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" }

func refuseInterface(t reflect.Type) error {
	if t.Implements(reflect.TypeFor[io.Reader]()) {
		return errReader
	}
	return errInterface
}
