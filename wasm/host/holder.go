package host

import "context"

// holder hands out the instance of the day, and a new one when that has died or
// grown too large.
type holder struct {
	module    *Module
	ports     Ports
	maxMemory int
	instance  *Instance
}

func (h *holder) get(ctx context.Context) (*Instance, error) {
	if h.instance != nil && !h.instance.dead {
		return h.instance, nil
	}
	var err error
	h.instance, err = h.module.Instantiate(ctx, h.ports)
	return h.instance, err
}

// quiet tells that nothing would be interrupted now: the time to leave a memory
// that has grown too large.
func (h *holder) quiet(ctx context.Context) error {
	if h.instance.Size() <= h.maxMemory {
		return nil
	}
	return h.drop(ctx)
}

func (h *holder) drop(ctx context.Context) error {
	if h.instance == nil || h.instance.dead {
		return nil
	}
	return h.instance.Close(ctx)
}
