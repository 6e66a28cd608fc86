//go:build !wasm

package durabletest

import (
	"database/sql/driver"
	"fmt"
	"math"
)

// bind makes arguments of what a core hands to a statement: the types that
// [durable.Storage] names, and beside them int and bool. A nil blob is NULL.
func bind(args []any) ([]driver.NamedValue, error) {
	out := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		v, err := argument(arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out, nil
}

// maxValue is what one value may hold, and one row: the platform's limit, which its local
// stand-in does not enforce.
const maxValue = 2_000_000

func argument(v any) (driver.Value, error) {
	switch v := v.(type) {
	case string:
		return v, fits(len(v))
	case []byte:
		return v, fits(len(v))
	case nil, float64:
		return v, nil
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case bool:
		if v {
			return 1.0, nil
		}
		return 0.0, nil
	}
	return nil, fmt.Errorf("%T is no value of SQL", v)
}

func fits(bytes int) error {
	if bytes > maxValue {
		return fmt.Errorf("%d bytes, at most %d", bytes, maxValue)
	}
	return nil
}

// result makes a value of a row as a JavaScript host would tell it.
func result(v driver.Value) (any, error) {
	switch v := v.(type) {
	case nil, string:
		return v, nil
	case []byte:
		return append([]byte{}, v...), nil
	case int64:
		return number(float64(v)), nil
	case float64:
		return number(v), nil
	}
	return nil, fmt.Errorf("%T is no value of SQL", v)
}

// number is an int64 where JavaScript calls a number a safe integer.
func number(v float64) any {
	if v == math.Trunc(v) && math.Abs(v) <= 1<<53-1 {
		return int64(v)
	}
	return v
}
