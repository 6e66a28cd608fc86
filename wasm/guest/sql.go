package guest

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// longestNumbered is the length of the longest text that is numbered, in bytes. A longer one makes
// tables, and rarely comes again.
const longestNumbered = 2 << 10

// storage is [durable.Storage] over the import sql, and [durable.Meter] over the import cost. The
// import sql runs a statement, writes the result into the buffer if it fits, and returns the
// result's length in either case. A call without a statement returns the kept result. A statement's
// text crosses once in the life of an instance, and its number afterwards.
type storage struct {
	call      func(statement, buffer []byte) int
	cost      func(buffer []byte) int
	numbers   map[string]int
	statement []byte
	buffer    []byte
}

func newStorage(call func(statement, buffer []byte) int, cost func(buffer []byte) int) *storage {
	return &storage{call: call, cost: cost, numbers: map[string]int{}}
}

// SQL implements [durable.Storage].
func (s *storage) SQL(statement string, args []any) ([]durable.Row, error) {
	s.statement = s.numbered(statement, args).Append(reuse(s.statement))
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

// numbered returns a statement as the host can read it: its number, its text, or both if the host is
// to keep the text.
func (s *storage) numbered(text string, args []any) abi.Statement {
	if number, known := s.numbers[text]; known {
		return abi.Statement{Number: number, Args: args}
	}
	if text == "" || len(s.numbers) == abi.MaxStatements || len(text) > longestNumbered {
		return abi.Statement{SQL: text, Args: args}
	}
	number := len(s.numbers) + 1
	s.numbers[text] = number
	return abi.Statement{SQL: text, Number: number, Args: args}
}
