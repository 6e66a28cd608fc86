package host

import (
	"context"
	"errors"
)

// drainTimeout is how long busy objects may stay in an instance that was replaced,
// in milliseconds.
const drainTimeout = 60_000

// pool hands out an instance, and a new one after that has died or grown too large. An instance
// that has grown is drained: idle objects are opened in the new one, and busy objects stay until
// they are idle, for a minute at most. So a pool never has more than two instances.
type pool struct {
	module    *Module
	ports     Ports
	maxMemory int
	instance  *Instance
	// draining is the replaced instance, in which objects may still be busy. drainingSince is when
	// it was replaced.
	draining      *Instance
	drainingSince int64
}

func (p *pool) get(ctx context.Context) (*Instance, error) {
	if p.current() != nil {
		return p.instance, nil
	}
	var err error
	p.instance, err = p.module.Instantiate(ctx, p.ports)
	return p.instance, err
}

// current returns the live instance that is handed out, or nil.
func (p *pool) current() *Instance {
	if p.instance == nil || p.instance.dead {
		return nil
	}
	return p.instance
}

// replaceIfGrown replaces the instance if its memory has grown too large. It returns true if it
// did.
func (p *pool) replaceIfGrown(ctx context.Context, now int64) (bool, error) {
	if in := p.current(); in == nil || in.Size() <= p.maxMemory {
		return false, nil
	}
	return true, p.replace(ctx, now)
}

// replace drains the instance, so that the next event makes a new one.
func (p *pool) replace(ctx context.Context, now int64) error {
	err := p.endDraining(ctx)
	p.draining, p.drainingSince, p.instance = p.current(), now, nil
	return err
}

// expire ends an instance that has drained long enough.
func (p *pool) expire(ctx context.Context, now int64) error {
	if p.draining == nil || now-p.drainingSince < drainTimeout {
		return nil
	}
	return p.endDraining(ctx)
}

// endDraining ends the draining instance. Objects that are busy there resume from storage.
func (p *pool) endDraining(ctx context.Context) error {
	in := p.draining
	p.draining = nil
	return closed(ctx, in)
}

// drop ends all instances.
func (p *pool) drop(ctx context.Context) error {
	return errors.Join(p.endDraining(ctx), closed(ctx, p.current()))
}

// size returns the size of the instances' memories together, in bytes.
func (p *pool) size() int {
	total := 0
	for _, in := range []*Instance{p.current(), p.draining} {
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
