package audience

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about what browsers are shown of runs when they connect. The first page of it goes
// out with the greeting. Each further page is made in an event of its own, so the socket opens before
// all has been made. What is read for the page after it stays in memory if that page is the next
// event.

const (
	// replayBudget bounds the bytes about runs that a new connection is sent, newest runs first. At
	// most half of it goes to the beginnings and ends of runs, counted as they are sent. The rest
	// goes to the events between, see [sizeOf]. The last run that is replayed is still sent whole.
	replayBudget = 4 << 20
	// maxReplayed is how large the events between a run's beginning and its end may be to be
	// replayed.
	maxReplayed = 6 << 20
	// runsAtOnce is how many runs are read at once.
	runsAtOnce = 8
	// firstPage is the size of the first page, in bytes of frames. Each page is twice as large as the
	// one before it, up to largestPage. A page ends behind the frame that reaches its size.
	firstPage, largestPage = 16 << 10, 256 << 10
	// framed is how much longer the frame of a word is than its chunk as it is stored.
	framed = 4
	// maxAhead is how many bytes of short logs are read in one statement.
	maxAhead = 64 << 10
)

// runReplay is what a connection still has to be sent of runs.
type runReplay struct {
	// planned says that runs is known. After a loss of memory it is not, until the next page.
	planned bool
	// runs are the runs that the replay has not come to the end of, oldest first.
	runs []*replayedRun
	// page is the size of the next page.
	page int
	// large says that the rows of runs take more than a page. They are not kept in memory.
	large bool
}

// replayedRun is one run in a replay.
type replayedRun struct {
	seq int64
	// bare says that the run is sent without its preview, its name and its progress.
	bare bool
	// begun says that the beginning was sent.
	begun bool
	// whole says that all chunks are sent. Otherwise only those are sent that came since the replay
	// was planned. Of a run whose events are not shown, none are sent.
	whole bool
	// size is how many bytes the log has, if the run was over when the replay was planned.
	size int
	// next and milestone are the numbers of the chunk and of the milestone that are sent next.
	next, milestone int64
	// end is the frame of the run's end, if the run has ended since the replay has come to it. It is
	// sent if the run is deleted or cleared before the replay is over.
	end string
	// read says that run and outline were read. They are nil if the run is gone.
	read    bool
	run     *run.Run
	outline []string
	// logRead says that chunks were read from next on. They are ahead, and more says that the log goes
	// on behind them.
	logRead, more bool
	ahead         []stream.Chunk
}

// ReplayRuns sends a new connection the first page of the runs that are kept and not cleared, and
// has the other pages follow. Within the budget runs are sent as they were live, to the byte. For a
// run beyond the budget, nothing is sent that could replace what a tab has seen: a shorter end would
// replace the one that the tab shows.
func (c *Audience) ReplayRuns(tx *durable.Tx, conn durable.ConnID) {
	c.endReplay(tx, conn) // a socket of a helper is greeted again when its relay is opened again
	p := planReplay(tx)
	if p.sendPage(tx, conn); len(p.runs) > 0 {
		setting.Set(tx, settingReplay+string(conn), "1")
		c.putOff(tx, conn, p)
	}
}

// SendNextPage sends the next page of the replay whose next page is the smallest.
func (c *Audience) SendNextPage(tx *durable.Tx) {
	c.replayTimer = false
	var next durable.ConnID
	for _, conn := range c.order {
		if p := c.replays[conn]; p != nil && (next == "" || p.page < c.replays[next].page) {
			next = conn
		}
	}
	if next == "" {
		return
	}
	if c.meter.room(tx) <= 0 {
		c.armReplays(tx, showEvery)
		return
	}
	p := c.replays[next]
	if c.ahead != p {
		c.ForgetAhead()
	}
	if !p.planned {
		p = planReplay(tx)
	}
	if p.sendPage(tx, next); len(p.runs) > 0 {
		c.putOff(tx, next, p)
		return
	}
	c.ahead = nil
	c.endReplay(tx, next)
}

// putOff has the rest of a replay follow in later events.
func (c *Audience) putOff(tx *durable.Tx, conn durable.ConnID, p *runReplay) {
	c.ahead = p
	if p.large {
		c.ForgetAhead()
	}
	c.replays[conn] = p
	c.armReplays(tx, 0)
}

// replayLater has a connection be sent all of the runs again, because there was no room for an event.
func (c *Audience) replayLater(tx *durable.Tx, conn durable.ConnID) {
	setting.Set(tx, settingReplay+string(conn), "1")
	c.putOff(tx, conn, &runReplay{})
}

// ForgetAhead forgets what was read for the next page of a replay. It is called before each event
// that is not a page, because the event may change it.
func (c *Audience) ForgetAhead() {
	if c.ahead == nil {
		return
	}
	for _, r := range c.ahead.runs {
		r.read, r.run, r.outline, r.logRead, r.ahead = false, nil, nil, false, nil
	}
	c.ahead = nil
}

// armReplays starts the timer of the next page, if a replay is not over and no timer runs. It goes off
// after a number of milliseconds.
func (c *Audience) armReplays(tx *durable.Tx, after int64) {
	if len(c.replays) > 0 && !c.replayTimer {
		c.replayTimer = true
		tx.Do(durable.StartTimer{Timer: ReplayTimer, After: after})
	}
}

// endReplay forgets a replay that is over, or whose connection is gone.
func (c *Audience) endReplay(tx *durable.Tx, conn durable.ConnID) {
	if c.replays[conn] == nil {
		return
	}
	setting.Delete(tx, settingReplay+string(conn))
	delete(c.replays, conn)
	c.armReplays(tx, 0)
}

// loadReplays begins the replays again that an earlier life of the object has not brought to their
// ends. A client ignores the events that it knows.
func (c *Audience) loadReplays(tx *durable.Tx) {
	if c.Count() == 0 {
		return
	}
	for _, key := range setting.Keys(tx, settingReplay) {
		if key == settingOwed {
			c.loadOwed(tx)
		} else if conn := durable.ConnID(key[len(settingReplay):]); c.Has(conn) {
			c.putOff(tx, conn, &runReplay{})
		} else {
			setting.Delete(tx, key)
		}
	}
}

// Replaying says whether a replay is not over.
func (c *Audience) Replaying() bool { return len(c.replays) > 0 }

// receives says whether a connection is sent an event of a run live. Otherwise its replay brings the
// event. hears keeps the frame of an end, in case the run is gone by then.
func (p *runReplay) receives(run int64, kind protocol.EventKind, frame string) bool {
	if p == nil {
		return true
	}
	at := p.find(run)
	if at != nil && at.begun && kind != protocol.EventChunk {
		at.end = frame
	}
	return p.planned && at == nil
}

// bytes is roughly how much memory a replay takes. The row of a run is about as large as its outline.
func (p *runReplay) bytes() (n int) {
	for _, r := range p.runs {
		n += 256 + len(r.end)
		for _, frame := range r.outline {
			n += 2 * len(frame)
		}
		for _, c := range r.ahead {
			n += len(c.Body)
		}
	}
	return n
}

// find returns the run with a number, or nil if the replay is past it.
func (p *runReplay) find(run int64) *replayedRun {
	for _, r := range p.runs {
		if r.seq == run {
			return r
		}
	}
	return nil
}

// planReplay chooses the runs that a connection is told of, and reads their rows.
func planReplay(tx *durable.Tx) *runReplay {
	runs, budget := outlines(tx)
	large := budget < replayBudget-largestPage
	logged := slices.DeleteFunc(slices.Clone(runs), func(r *replayedRun) bool { return r.run.Visibility == run.Terminal })
	var sizes map[stream.ID]int
	if len(logged) > 0 {
		sizes = stream.Sizes(tx, logged[0].run.Log(), logged[len(logged)-1].run.Log())
	}
	for _, p := range runs {
		p.next, p.milestone = p.run.Next, p.run.Milestones
		if budget <= 0 {
			continue
		}
		p.size = sizes[p.run.Log()]
		if size := sizeOf(*p.run, p.size); size <= maxReplayed {
			p.milestone = 0
			budget -= size
			if p.run.Visibility != run.Terminal {
				p.whole, p.next = true, 0
			}
		}
		if !p.run.Status.Final() {
			p.size = maxReplayed // the log still grows
		}
	}
	p := &runReplay{planned: true, page: firstPage, large: large}
	for i := len(runs) - 1; i >= 0; i-- {
		p.runs = append(p.runs, runs[i])
	}
	return p
}

// outlines returns the runs that a new connection is told of, newest first, and the rest of the
// budget. Unfinished runs are always included, because a client ignores events of a run that it
// does not know. Beyond the budget they have no preview and no name.
func outlines(tx *durable.Tx) (runs []*replayedRun, budget int) {
	budget = replayBudget
	before, more := int64(run.Newest), true
	for more && budget > replayBudget/2 {
		page := run.Shown(tx, before, runsAtOnce)
		more = len(page) == runsAtOnce
		for i, r := range page {
			if budget <= replayBudget/2 {
				more = true
				break
			}
			p := &replayedRun{seq: r.Seq, read: true, run: &page[i], outline: outline(r)}
			for _, frame := range p.outline {
				budget -= len(frame)
			}
			runs, before = append(runs, p), r.Seq
		}
	}
	if more {
		for _, r := range run.UnfinishedBefore(tx, before) {
			runs = append(runs, &replayedRun{seq: r.Seq, bare: true, read: true, run: &r, outline: outline(r)})
		}
	}
	return runs, budget
}

// outline is the frames that show a run's beginning, its progress and its end.
func outline(r run.Run) []string {
	frames := []string{replayed(r, 0, StartedEvent(r))}
	if hasProgress(r) {
		frames = append(frames, replayed(r, r.Next+1, ProgressEvent(r)))
	}
	if r.Status.Final() {
		frames = append(frames, replayed(r, r.Next+1, EndEvent(r)))
	}
	return frames
}

func replayed(r run.Run, sequence int64, event protocol.EventBody) string {
	return protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode()
}

// sizeOf is the size of the events between a run's beginning and its end. log is the size of its log
// in bytes. Events count as they are stored, with half of what the frames around chunks add, because
// those frames are several times as long as a model's words. So never much more than twice the budget
// is sent, whatever the chunks are.
func sizeOf(r run.Run, log int) int {
	size := int(r.Milestones) * limit.ReportData
	if r.Visibility != run.Terminal {
		size += log + int(r.Next)*len(replayed(r, r.Next, ChunkEvent(r, nil)))/2
	}
	return size
}

// sendPage sends a page, and removes the runs whose ends it reaches.
func (p *runReplay) sendPage(tx *durable.Tx, conn durable.ConnID) {
	page := &page{tx: tx, conn: conn, left: p.page}
	p.page = min(2*p.page, largestPage)
	for len(p.runs) > 0 && page.left > 0 {
		r := p.runs[0]
		if !r.read {
			p.read(tx)
		}
		if r.whole && r.next == 0 && !r.logRead {
			p.readShortLogs(tx)
		}
		if !r.sendTo(page) {
			return
		}
		p.runs = p.runs[1:]
	}
}

// read reads the rows of the next runs.
func (p *runReplay) read(tx *durable.Tx) {
	next := p.runs[:min(len(p.runs), runsAtOnce)]
	var numbers []int64
	for _, r := range next {
		r.read = true
		numbers = append(numbers, r.seq)
	}
	for _, row := range run.ShownAmong(tx, numbers) {
		r := p.find(row.Seq)
		if r.bare {
			row.Preview, row.Display, row.Progress = nil, nil, nil
		}
		r.run, r.outline = &row, outline(row)
	}
}

// readShortLogs reads the logs of the next runs, as far as they are short, in one statement.
func (p *runReplay) readShortLogs(tx *durable.Tx) {
	n, left := 0, maxAhead
	for ; n < len(p.runs) && p.runs[n].whole && p.runs[n].seq == p.runs[0].seq+int64(n) && p.runs[n].size <= left; n++ {
		left -= p.runs[n].size
	}
	if n == 0 {
		return
	}
	logs := stream.Whole(tx, stream.ID(-p.runs[n-1].seq), stream.ID(-p.runs[0].seq))
	for i, r := range p.runs[:n] {
		r.logRead, r.more, r.ahead = true, false, logs[n-1-i]
	}
}

// page is a page of a replay that is being sent.
type page struct {
	tx   *durable.Tx
	conn durable.ConnID
	// left is how many bytes of the page are left.
	left int
}

func (p *page) send(frame string) {
	Send(p.tx, frame, p.conn)
	p.left -= len(frame)
}

// sendTo sends what fits into a page of the rest of a run, and says whether that was all of it.
func (r *replayedRun) sendTo(p *page) bool {
	switch {
	case r.run == nil && r.end != "":
		p.send(r.end)
		return true
	case r.run == nil:
		return true
	case !r.begun:
		p.send(r.outline[0])
		r.begun = true
	}
	if r.run.Status.Final() {
		r.end = r.outline[len(r.outline)-1]
	}
	if !r.sendLog(p) {
		return false
	}
	for _, frame := range r.outline[1:] {
		p.send(frame)
	}
	return true
}

// sendLog sends what fits into a page of the events between a run's beginning and its end, and says
// whether that was all of it.
func (r *replayedRun) sendLog(p *page) bool {
	log := r.run.Log()
	var reached []stream.Milestone
	if r.milestone < r.run.Milestones {
		reached = stream.Milestones(p.tx, log, r.milestone)
	}
	show := func(upTo int64) {
		for _, m := range stream.TakeUpTo(&reached, upTo) {
			p.send(replayed(*r.run, m.Place+1, MilestoneEvent(*r.run, m)))
			r.milestone = m.Sequence + 1
		}
	}
	for r.run.Visibility != run.Terminal && (r.whole || r.next < r.run.Next) && (!r.logRead || r.more || len(r.ahead) > 0) {
		if p.left <= 0 {
			return false
		}
		if len(r.ahead) == 0 {
			r.ahead, r.more = stream.Read(p.tx, log, r.next, 1+p.left/framed)
			r.logRead = true
			continue
		}
		c := r.ahead[0]
		r.ahead = r.ahead[1:]
		show(c.Index)
		p.send(replayed(*r.run, c.Index+1, ChunkEvent(*r.run, c.Body)))
		r.next = c.Index + 1
	}
	show(r.run.Next)
	return true
}
