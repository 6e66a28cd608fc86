package guest

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// storage is [durable.Storage] over the import sql, and [durable.Meter] over the import cost. The
// import sql runs a statement, writes the result
// into the buffer if it fits, and returns the result's length in either case. A call without a
// statement returns the kept result.
type storage struct {
	call      func(statement, buffer []byte) int
	cost      func(buffer []byte) int
	statement []byte
	buffer    []byte
}

// SQL implements [durable.Storage].
func (s *storage) SQL(statement string, args []any) ([]durable.Row, error) {
	s.statement = abi.Statement{SQL: statement, Args: args}.Append(reuse(s.statement))
	s.buffer = grow(s.buffer, max(cap(reuse(s.buffer)), leastBuffer))
	r, err := abi.DecodeResult(s.result(s.call(s.statement, s.buffer)))
	if err != nil {
		return nil, err
	}
	if r.Error != "" {
		return nil, errors.New(r.Error)
	}
	return r.Rows, nil
}

// result returns a result of n bytes, which the host has written to the buffer or keeps.
func (s *storage) result(n int) []byte {
	if n > len(s.buffer) {
		s.buffer = grow(s.buffer, n)
		if got := s.call(nil, s.buffer); got != n {
			panic(fmt.Sprintf("guest: the host announced a result of %d bytes and handed out %d", n, got))
		}
	}
	return s.buffer[:n]
}

// Costs implements [durable.Meter].
func (s *storage) Costs() []durable.Cost {
	s.buffer = grow(s.buffer, leastBuffer)
	costs, err := abi.DecodeCosts(s.result(s.cost(s.buffer)))
	if err != nil {
		panic(fmt.Errorf("guest: costs: %w", err))
	}
	return costs
}
