package host

import (
	"context"
	"errors"
)

// patience is how long an object that is busy may stay in an instance that the
// others leave, in milliseconds.
const patience = 60_000

// holder hands out an instance, and a new one when that has died or grown too
// large. One that has grown is left: objects at rest are opened in the next one,
// and objects that are busy stay until they come to rest, for a minute at most.
// So a holder never has more than two instances.
type holder struct {
	module    *Module
	ports     Ports
	maxMemory int
	instance  *Instance
	// left is the instance before, where objects may still be busy, and leftAt says
	// since when.
	left   *Instance
	leftAt int64
}

func (h *holder) get(ctx context.Context) (*Instance, error) {
	if h.current() != nil {
		return h.instance, nil
	}
	var err error
	h.instance, err = h.module.Instantiate(ctx, h.ports)
	return h.instance, err
}

// current returns the living instance that is handed out, or nil.
func (h *holder) current() *Instance {
	if h.instance == nil || h.instance.dead {
		return nil
	}
	return h.instance
}

// outgrown leaves the instance if its memory has grown too large, and says whether
// it has.
func (h *holder) outgrown(ctx context.Context, now int64) (bool, error) {
	if in := h.current(); in == nil || in.Size() <= h.maxMemory {
		return false, nil
	}
	return true, h.leave(ctx, now)
}

// leave lets the next event make a new instance.
func (h *holder) leave(ctx context.Context, now int64) error {
	err := h.abandon(ctx)
	h.left, h.leftAt, h.instance = h.current(), now, nil
	return err
}

// expire ends an instance that was left long enough ago.
func (h *holder) expire(ctx context.Context, now int64) error {
	if h.left == nil || now-h.leftAt < patience {
		return nil
	}
	return h.abandon(ctx)
}

// abandon ends the instance that is being left, whoever is busy there.
func (h *holder) abandon(ctx context.Context) error {
	in := h.left
	h.left = nil
	return closed(ctx, in)
}

// drop ends all instances.
func (h *holder) drop(ctx context.Context) error {
	return errors.Join(h.abandon(ctx), closed(ctx, h.current()))
}

// size returns how many bytes the memories of the instances have.
func (h *holder) size() int {
	total := 0
	for _, in := range []*Instance{h.current(), h.left} {
		if in != nil && !in.dead {
			total += in.Size()
		}
	}
	return total
}

func closed(ctx context.Context, in *Instance) error {
	if in == nil || in.dead {
		return nil
	}
	return in.Close(ctx)
}
