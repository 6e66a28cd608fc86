package quickjs

import (
	"context"
	"fmt"
	"sync"

	"github.com/tributary-agents/tributary/durable/script"
)

// MostBytes is how much memory the waiting boxes of a host take together. Those that were not used for
// the longest time are closed first.
const MostBytes = 48 << 20

// MostWait is how long a box may wait before a request of another box closes it, in milliseconds.
const MostWait = 10_000

// Host runs scripts for one instance of a module. Several goroutines may call it at a time, each for
// boxes of its own.
type Host struct {
	mu       sync.Mutex
	boxes    map[int64]*box
	requests uint64
	// clocks says that the times of requests come from several clocks, so that no box waits for too long.
	clocks bool
}

// New returns a host without boxes.
func New() *Host { return &Host{boxes: map[int64]*box{}} }

// Call runs a request and returns the result, which the caller owns. Bytes that are no request are a
// mistake of the module: Call panics.
func (h *Host) Call(request []byte) []byte {
	decoded, err := script.DecodeRequest(request)
	if err != nil {
		panic(fmt.Errorf("quickjs: %w", err))
	}
	return h.run(decoded).Encode()
}

func (h *Host) run(request script.Request) script.Result {
	switch r := request.(type) {
	case script.Open:
		h.drop(r.Box)
		h.expire(r.Now)
		b, result := openBox(context.Background(), compile(), r)
		h.put(r.Box, b, result)
		return result
	case script.Answer:
		b := h.take(r.Box)
		h.expire(r.Now)
		if b == nil {
			break
		}
		result := b.answer(r)
		h.put(r.Box, b, result)
		return result
	case script.Close:
		h.drop(r.Box)
	}
	return script.Result{State: script.Gone}
}

// Close drops all boxes.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for number := range h.boxes {
		h.closeBox(number)
	}
}

// take takes a box out of the table, so that nobody closes it while it runs.
func (h *Host) take(number int64) *box {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.boxes[number]
	delete(h.boxes, number)
	return b
}

// put keeps a box that waits, and closes one that has ended.
func (h *Host) put(number int64, b *box, result script.Result) {
	if result.State != script.Waits {
		b.close()
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests++
	b.used = h.requests
	h.boxes[number] = b
	h.evict()
}

func (h *Host) drop(number int64) {
	if b := h.take(number); b != nil {
		b.close()
	}
}

// expire closes the boxes that have waited for too long. The host has no clock: requests bring the time.
func (h *Host) expire(now int64) {
	if h.clocks {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for number, b := range h.boxes {
		if now-b.now > MostWait {
			h.closeBox(number)
		}
	}
}

// evict closes boxes until the others fit into [MostBytes].
func (h *Host) evict() {
	for {
		var all, oldest int64
		for number, b := range h.boxes {
			all += int64(b.module.Memory().Size())
			if first := h.boxes[oldest]; first == nil || b.used < first.used {
				oldest = number
			}
		}
		if all <= MostBytes {
			return
		}
		h.closeBox(oldest)
	}
}

func (h *Host) closeBox(number int64) {
	h.boxes[number].close()
	delete(h.boxes, number)
}
