package mcpserver

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// call is a call that is under way.
type call struct {
	row
	// stored says that there is a row, and changed that it differs.
	stored, changed bool
	// routine is the code, or nil if it is put away because it waits for people only.
	routine *flow.Routine
	// waiter is the request that waits for the answer, or nil.
	waiter *waiter
	over   bool
}

// inMemory says whether the code waits for something that is lost with the object's memory.
func (k *call) inMemory() bool {
	return k.routine != nil && (k.routine.Fetching() || k.routine.WaitsForSlice())
}

func (k *call) to(s state) { k.state, k.changed = s, true }

// begin begins a call for a request.
func (p *Server) begin(tx *durable.Tx, from from, r row) {
	var b [8]byte
	tx.Random(b[:])
	r.id, r.turn = "mcp_"+tx.NewID(), -int64(binary.LittleEndian.Uint64(b[:])>>1)-1
	r.kind, r.state, r.created, r.updated, r.claims = ofRequest, working, tx.Now, tx.Now, from.claims
	r.client = clientOf(from.caller)
	if !mcp.Modern(from.caller.Version) {
		r.client.Version = from.caller.Version
	}
	if from.session != nil {
		r.kind, r.expires = ofSession, tx.Now+taskAge
		r.client.Session, r.client.Request, r.client.Token = from.session.id, json.RawMessage(from.id.JSON()), json.RawMessage(from.caller.Progress.JSON())
	}
	k := &call{row: r, waiter: newWaiter(from)}
	p.calls = append(p.calls, k)
	p.start(tx, k)
}

// resume has a call go on that something was answered to, and puts it into memory if it is not there.
func (p *Server) resume(tx *durable.Tx, k *call) {
	k.to(working)
	if k.routine != nil {
		p.proceed(tx, k)
		return
	}
	p.calls = append(p.calls, k)
	p.start(tx, k)
}

// start runs the code of a call over its journal, until it waits or ends.
func (p *Server) start(tx *durable.Tx, k *call) {
	work := p.workOf(k)
	defer p.config.Object.ActFor(k.claims)()
	k.routine = flow.Start(tx, routineOf+k.id, "the call of "+k.name, func(c *flow.Context) (json.RawMessage, error) {
		return work(c, author.Code{Call: turn.Call{ID: k.id, Name: k.name, Input: k.input}, Claims: k.claims, Outside: k.turn}, k.input)
	}, flow.Options{})
}

// proceed has the code of a call go on as far as its awaits have ended.
func (p *Server) proceed(tx *durable.Tx, k *call) {
	defer p.config.Object.ActFor(k.claims)()
	k.routine.Resume(tx)
}

// workOf returns the code of a call. A deployment may have removed what is called.
func (p *Server) workOf(k *call) Code {
	switch k.method {
	case mcp.MethodCallTool:
		if t, ok := p.tool(k.name); ok {
			return t.approved(p)
		}
	case mcp.MethodGetPrompt:
		if i := slices.IndexFunc(p.config.Prompts, func(o Prompt) bool { return o.Name == k.name }); i >= 0 {
			return p.config.Prompts[i].Run
		}
	}
	return func(*flow.Context, author.Code, json.RawMessage) (json.RawMessage, error) {
		return nil, errRemoved
	}
}

// load returns a call that goes on and is not in memory, or nil if there is none.
func (p *Server) load(tx *durable.Tx, id string) *call {
	if k := p.inMemory(id); k != nil {
		return k
	}
	r, ok := find(tx, id)
	if !ok || r.state.final() {
		return nil
	}
	k := &call{row: r, stored: true}
	p.calls = append(p.calls, k)
	p.start(tx, k)
	return k
}

// stop ends the code of a call, and everything that it has begun.
func (p *Server) stop(tx *durable.Tx, k *call, why string) {
	if k.routine != nil {
		k.routine.Stop(tx)
		k.routine = nil
	} else {
		flow.Forget(tx, routineOf+k.id)
	}
	p.close(tx, k, why)
}

// close ends what the code of a call has begun and left.
func (p *Server) close(tx *durable.Tx, k *call, why string) {
	k.over, k.asked = true, nil
	p.config.Object.Runs().StopOfTurn(tx, k.turn, why)
	run.ForgetSpent(tx, k.turn)
}

// drop stops a call that nobody wants any more, and forgets it.
func (p *Server) drop(tx *durable.Tx, k *call, why string) {
	p.stop(tx, k, why)
	if k.stored {
		remove(tx, k.id)
	}
}
