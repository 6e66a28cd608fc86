package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// object is one object's life in the module: every event is one transaction,
// and the object is opened where it is not there.
type object struct {
	holder  *holder
	handle  uint32
	storage *durabletest.SQLite
	// instance is the one that the object was opened in.
	instance *Instance
	// lost is what the object's own last event did to it.
	lost durable.Loss
}

func (o *object) deliver(ctx context.Context, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	in, err := o.holder.get(ctx)
	if err != nil {
		return nil, err
	}
	var commands []durable.Command
	if o.instance != in {
		if commands, err = o.open(ctx, in, at, opened); err != nil {
			return nil, err
		}
	}
	if event == nil {
		return commands, nil
	}
	reply, err := o.step(ctx, in, at, event)
	if err != nil || reply.Status == abi.Done {
		return append(commands, reply.Commands...), err
	}
	// The module had dropped the object to make room.
	again, err := o.open(ctx, in, at, opened)
	if err != nil {
		return commands, err
	}
	reply, err = o.step(ctx, in, at, event)
	if err == nil && reply.Status != abi.Done {
		err = errors.New("host: the module does not keep the object that it has just opened")
	}
	return append(append(commands, again...), reply.Commands...), err
}

func (o *object) open(ctx context.Context, in *Instance, at int64, opened durable.Opened) ([]durable.Command, error) {
	o.instance = nil
	opened.Lost = cmp.Or(opened.Lost, o.lost)
	reply, err := o.transact(ctx, in, in.Open, abi.Occurrence{At: at, Event: opened})
	if err != nil {
		return nil, err
	}
	o.instance, o.lost = in, durable.LostQuietly
	return reply.Commands, nil
}

func (o *object) step(ctx context.Context, in *Instance, at int64, event durable.Event) (abi.Reply, error) {
	reply, err := o.transact(ctx, in, in.Step, abi.Occurrence{At: at, Event: event})
	if err != nil || reply.Busy || reply.Status != abi.Done {
		return reply, err
	}
	return reply, o.holder.quiet(ctx)
}

type verb func(context.Context, uint32, []byte, durable.Storage) ([]byte, error)

// transact lets a call happen in one transaction. Where that fails, storage goes back
// and memory may be ahead of it: the object leaves its place.
func (o *object) transact(ctx context.Context, in *Instance, call verb, occurrence abi.Occurrence) (abi.Reply, error) {
	reply, err := o.commit(ctx, call, occurrence)
	if err != nil {
		if trap := (*Trap)(nil); errors.As(err, &trap) {
			o.lost = trap.Loss()
		}
		o.leave(ctx, in)
		return abi.Reply{}, err
	}
	if reply.Status == abi.Refused {
		return abi.Reply{}, fmt.Errorf("host: the module refused %T: %s", occurrence.Event, reply.Error)
	}
	return reply, nil
}

func (o *object) commit(ctx context.Context, call verb, occurrence abi.Occurrence) (abi.Reply, error) {
	if err := o.storage.Begin(); err != nil {
		return abi.Reply{}, err
	}
	bytes, err := call(ctx, o.handle, occurrence.Encode(), o.storage)
	if err != nil {
		return abi.Reply{}, errors.Join(err, o.storage.Rollback())
	}
	reply, err := abi.DecodeReply(bytes)
	if err != nil {
		return abi.Reply{}, errors.Join(err, o.storage.Rollback())
	}
	return reply, o.storage.Commit()
}

// leave drops the in-memory part from an instance; it does nothing where that is gone
// already.
func (o *object) leave(ctx context.Context, in *Instance) {
	if in != nil && !in.dead {
		_ = in.Drop(ctx, o.handle) // a trap leaves the instance dead, and the object gone either way
	}
	o.instance = nil
}
