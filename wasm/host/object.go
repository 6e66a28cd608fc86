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

// object is one object's life in the module. Every event is one transaction. The object is opened
// if it is not in memory.
type object struct {
	containment *containment
	// tree names the root of the object's tree.
	tree    string
	handle  uint32
	storage *durabletest.SQLite
	// metered is the storage that the module reaches.
	metered durable.Storage
	// instance is the instance that the object was opened in, and pool is its pool.
	instance *Instance
	pool     *pool
	// busy says that leaving the instance would interrupt work.
	busy bool
	// watched says that the next event is announced.
	watched bool
	// lost is the loss that the object's own last event caused.
	lost durable.Loss
}

func (o *object) deliver(ctx context.Context, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	in, commands, err := o.enter(ctx, at, opened)
	if err != nil {
		return commands, err // what has opened the object has committed, and its work may have trapped behind that
	}
	if event == nil {
		return commands, o.checkMemory(ctx, in, at)
	}
	reply, err := o.announced(ctx, in, at, event)
	if err == nil && reply.Status == abi.Unopened { // the module had dropped the object to free memory
		var again []durable.Command
		again, err = o.open(ctx, in, at, opened)
		if commands = append(commands, again...); err != nil {
			return commands, err
		}
		reply, err = o.announced(ctx, in, at, event)
	}
	if err == nil && !reply.Status.Happened() {
		err = errors.New("host: the module does not keep the object that it has just opened")
	}
	if err != nil {
		return commands, err
	}
	return append(commands, reply.Commands...), o.checkMemory(ctx, in, at)
}

// isOpen says whether the object's next event happens in the instance where the object is. That is
// so if the instance is still handed out, or if the object is busy there.
func (o *object) isOpen() bool {
	if o.instance == nil || o.instance.dead {
		return false
	}
	return o.busy || o.instance == o.containment.pool(o.tree).current()
}

// enter returns the instance of the object's next event, with the object open in it.
func (o *object) enter(ctx context.Context, at int64, opened durable.Opened) (*Instance, []durable.Command, error) {
	if err := o.containment.expire(ctx, at); err != nil {
		return nil, nil, err
	}
	if o.isOpen() {
		return o.instance, nil, nil
	}
	if err := o.leave(ctx, o.instance, at); err != nil {
		return nil, nil, err
	}
	o.pool = o.containment.pool(o.tree)
	in, err := o.pool.get(ctx)
	if err != nil {
		return nil, nil, err
	}
	commands, err := o.open(ctx, in, at, opened)
	return in, commands, err
}

func (o *object) open(ctx context.Context, in *Instance, at int64, opened durable.Opened) ([]durable.Command, error) {
	o.instance = nil
	opened.Lost = cmp.Or(opened.Lost, o.lost)
	reply, err := o.transact(ctx, in, in.Open, abi.Occurrence{At: at, Event: opened})
	if err != nil {
		return nil, err
	}
	o.instance, o.lost = in, durable.LostQuietly
	o.note(reply)
	if !o.watched {
		return reply.Commands, nil
	}
	resumed, err := o.announced(ctx, in, at, durable.TimerFired{Timer: durable.Resumed})
	return append(reply.Commands, resumed.Commands...), err
}

// note keeps what a reply says about the next event.
func (o *object) note(reply abi.Reply) { o.busy, o.watched = reply.Busy, reply.Status == abi.Watched }

// announced delivers an event, behind its announcement if the object is watched. Storage is on the disk
// when a transaction has committed.
func (o *object) announced(ctx context.Context, in *Instance, at int64, event durable.Event) (abi.Reply, error) {
	if o.watched {
		reply, err := o.step(ctx, in, at, durable.TimerFired{Timer: durable.Announced})
		if err != nil || !reply.Status.Happened() {
			return reply, err
		}
	}
	return o.step(ctx, in, at, event)
}

func (o *object) step(ctx context.Context, in *Instance, at int64, event durable.Event) (abi.Reply, error) {
	reply, err := o.transact(ctx, in, in.Step, abi.Occurrence{At: at, Event: event})
	if err == nil && reply.Status.Happened() {
		o.lost = durable.LostQuietly
		o.note(reply)
	}
	return reply, err
}

// checkMemory checks the memory after an event. If the instance had to end at once, the object is
// told so as if the platform had ended it.
func (o *object) checkMemory(ctx context.Context, in *Instance, at int64) error {
	err := o.containment.checkMemory(ctx, o.tree, o.pool, at)
	if in.dead {
		o.instance, o.lost = nil, durable.LostByMemory
	}
	return err
}

type verb func(context.Context, uint32, []byte, durable.Storage) ([]byte, error)

// transact runs a call in one transaction. If it fails, storage is rolled back. Memory may then be
// ahead of storage, so the object leaves its instance.
func (o *object) transact(ctx context.Context, in *Instance, call verb, occurrence abi.Occurrence) (abi.Reply, error) {
	reply, err := o.commit(ctx, call, occurrence)
	if err != nil {
		if trap := (*Trap)(nil); errors.As(err, &trap) {
			o.lost = trap.Loss()
			err = errors.Join(err, o.containment.died(ctx, o.tree, o.pool, occurrence.At))
		}
		return abi.Reply{}, errors.Join(err, o.leave(ctx, in, occurrence.At))
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
	bytes, err := call(ctx, o.handle, occurrence.Encode(), o.metered)
	if err != nil {
		return abi.Reply{}, errors.Join(err, o.storage.Rollback())
	}
	reply, err := abi.DecodeReply(bytes)
	if err != nil {
		return abi.Reply{}, errors.Join(err, o.storage.Rollback())
	}
	if reply.Status == abi.Newer {
		return abi.Reply{}, errors.Join(durabletest.RefusedError{Reason: reply.Error}, o.storage.Rollback())
	}
	return reply, o.storage.Commit()
}

// leave drops the in-memory part from an instance. It does nothing if the instance has gone
// already. A trap during the drop counts like any other.
func (o *object) leave(ctx context.Context, in *Instance, at int64) error {
	o.instance = nil
	if in == nil || in.dead {
		return nil
	}
	if in.Drop(ctx, o.handle) == nil {
		return nil
	}
	return o.containment.died(ctx, o.tree, o.pool, at)
}
