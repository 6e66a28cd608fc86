package guest

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// storage is [durable.Storage] over the import sql, which runs a statement,
// writes the result into the room that it is given if it fits, and returns its
// length either way. Without a statement it hands out the kept result.
type storage struct {
	call      func(statement, room []byte) int
	statement []byte
	room      []byte
}

// SQL implements [durable.Storage].
func (s *storage) SQL(statement string, args []any) ([]durable.Row, error) {
	s.statement = abi.Statement{SQL: statement, Args: args}.Append(reuse(s.statement))
	s.room = grow(s.room, max(cap(reuse(s.room)), leastBuffer))
	n := s.call(s.statement, s.room)
	if n > len(s.room) {
		s.room = grow(s.room, n)
		if got := s.call(nil, s.room); got != n {
			panic(fmt.Sprintf("guest: the host announced a result of %d bytes and handed out %d", n, got))
		}
	}
	r, err := abi.DecodeResult(s.room[:n])
	if err != nil {
		return nil, err
	}
	if r.Error != "" {
		return nil, errors.New(r.Error)
	}
	return r.Rows, nil
}
