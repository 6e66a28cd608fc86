package flow

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Step runs a function once and journals its result. In every later life of the code the result
// comes from the journal. The function may read and write storage, within the event's transaction.
// It must not await. It takes no time, so it runs even if a time limit is over.
func Step[T any](c Awaiter, name string, f func(tx *durable.Tx) (T, error)) (T, error) {
	name = "step " + name
	e := c.context().do(name, func(tx *durable.Tx) ([]byte, Reason, string) {
		v, err := f(tx)
		return encode(name, v, err)
	})
	return decode[T](name, e.outcome)
}

// encode returns the journaled form of a value or an error.
func encode(name string, v any, err error) (result []byte, reason Reason, failure string) {
	if err == nil {
		if result, err = encodeResult(name, v); err == nil {
			return result, "", ""
		}
	}
	return nil, reasonOf(err), errorText(err)
}

// encodeResult returns the journaled form of a value. A second attempt would bring no other error.
func encodeResult(name string, v any) ([]byte, error) {
	result, err := limit.Marshal(v)
	if err != nil {
		return nil, Permanent(fmt.Errorf("the result of %s: %w", name, err))
	}
	return result, nil
}

// decode reads a value that was journaled as JSON.
func decode[T any](name string, wait func() ([]byte, error)) (value T, err error) {
	data, err := wait()
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("the result of %s: %w", name, err)
	}
	return value, nil
}
