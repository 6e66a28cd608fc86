package browser

import "math"

// socket is the partysocket of a tab. It reconnects after a close, later each time, and queues the
// frames that are sent meanwhile.
type socket struct {
	connecting, open, refused bool
	// broken says that the connection is lost and the page does not know yet: it still receives
	// earlier frames.
	broken bool
	// queue are the frames that wait for a connection, out those that wait for the network.
	queue, out []string
	// lost says that there was a connection, and is none now.
	lost     bool
	attempts int
	openedAt int64
	// due is when the next attempt begins, or when the current one is given up.
	due int64
}

// Times in milliseconds.
const (
	connectTimeout = 4_000
	minBackoff     = 3_000
	maxBackoff     = 10_000
	waitGrowth     = 1.3
	steadyAfter    = 5_000
	never          = math.MaxInt64
)

// Connect begins an attempt to connect.
func (t *Tab) Connect() {
	defer t.step(Step{Do: "connect"})()
	t.socket.connecting, t.socket.due = true, t.now()+connectTimeout
}

// Wants says whether the tab wants to be connected now.
func (t *Tab) Wants() bool {
	s := t.socket
	return !s.open && !s.connecting && !s.refused && s.due <= t.now()
}

// Connecting says whether the tab waits for the server to accept its connection.
func (t *Tab) Connecting() bool { return t.socket.connecting }

// Refused says whether the server has closed the connection for good.
func (t *Tab) Refused() bool { return t.socket.refused }

// Open says whether the tab is connected.
func (t *Tab) Open() bool { return t.socket.open }

// Opened ends an attempt to connect with success.
func (t *Tab) Opened() {
	defer t.step(Step{Do: "opened"})()
	s := &t.socket
	s.connecting, s.open, s.due, s.openedAt = false, true, never, t.now()
	s.out, s.queue = append(s.out, s.queue...), nil
	if s.lost {
		s.lost, t.reprobe = false, true
		t.ask()
	}
}

// Broke loses the connection while the page is frozen: the browser keeps earlier frames back, and
// the close behind them. Frames that the page sends meanwhile wait for the next connection.
func (t *Tab) Broke() {
	defer t.step(Step{Do: "broke"})()
	t.socket.broken = true
}

// Closed ends the connection, or an attempt to connect. code is the server's, or 1006 if there was
// none.
func (t *Tab) Closed(code int) {
	defer t.step(Step{Do: "closed", Code: code})()
	s := &t.socket
	if s.open && t.now()-s.openedAt >= steadyAfter {
		s.attempts = 0
	}
	s.connecting, s.open, s.broken, s.lost, s.out = false, false, false, true, nil
	t.Identified = false
	s.due = t.now() + int64(min(minBackoff*math.Pow(waitGrowth, float64(s.attempts)), maxBackoff))
	s.attempts++
	if s.refused = code == 1008 || code >= 4000 && code < 5000; s.refused {
		s.due = never
	}
	t.interrupt()
}

// interrupt ends the streams of a lost connection. Their turns continue on the server.
func (t *Tab) interrupt() {
	clear(t.acked)
	clear(t.replays)
	t.cutOff = t.Observing
	t.protected, t.clearing, t.stopped = nil, false, ""
	attached := t.attached()
	for _, a := range attached {
		delete(t.local, a.request)
		t.release(a)
	}
	if len(attached) > 0 {
		t.set(Failed, "WebSocket closed mid-stream")
	}
}

// Due returns when the tab does something by itself, or [math.MaxInt64] if it does not.
func (t *Tab) Due() int64 {
	due := t.socket.due
	if t.awaiting() {
		due = min(due, t.resume.due)
	}
	return due
}

// Tick does what is due.
func (t *Tab) Tick() {
	defer t.step(Step{Do: "tick"})()
	if t.awaiting() && t.resume.due <= t.now() {
		t.idle()
	}
	if t.socket.connecting && t.socket.due <= t.now() {
		t.Closed(1006)
	}
}

// Out removes and returns the frames that the tab has sent.
func (t *Tab) Out() []string {
	out := t.socket.out
	t.socket.out = nil
	return out
}

// send sends a frame, and says whether there is a connection. Otherwise the frame waits for one.
func (t *Tab) send(frame any) bool {
	s := &t.socket
	if s.open && !s.broken {
		s.out = append(s.out, encode(frame))
		return true
	}
	s.queue = append(s.queue, encode(frame))
	return false
}
