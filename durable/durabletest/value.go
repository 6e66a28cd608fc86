//go:build !wasm

package durabletest

import (
	"database/sql/driver"
	"fmt"
	"math"
)

// bind converts the arguments of a statement: the types that [durable.Storage] names, and also int
// and bool. A nil blob is NULL.
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

// maxValue is the platform's limit on one value and on one row. The platform's local version does
// not enforce it.
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

// result converts a value of a row as a JavaScript host would.
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

// number returns an int64 if JavaScript considers the number a safe integer.
func number(v float64) any {
	if v == math.Trunc(v) && math.Abs(v) <= 1<<53-1 {
		return int64(v)
	}
	return v
}
