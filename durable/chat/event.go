package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file says which room gets an event. Events of sockets and requests are the conversation's. Those of fetches, timers
// and streams are told apart by their names, and the entries of the schedule by their kinds (see due.go).

// fetched hands an event of a fetch to the room that has begun the fetch.
func (o *Object) fetched(tx *durable.Tx, name string, event durable.Event) {
	switch {
	case strings.HasPrefix(name, flow.FetchOf):
		if o.mcpServer == nil || !o.mcpServer.Fetched(tx, name, event) {
			o.loop.Fetched(tx, name, event)
		}
	case strings.HasPrefix(name, flow.TerminateOf):
		flow.Terminated(tx, name, event)
	case strings.HasPrefix(name, mcpclient.FetchOf):
		if o.servers != nil {
			o.servers.Fetched(tx, name, event)
		}
	default:
		o.modelEvent(tx, name, event)
	}
}

// timerFired hands the event of a timer to the room that has started the timer. The model of the demo has timers in place of
// fetches.
func (o *Object) timerFired(tx *durable.Tx, e durable.TimerFired) {
	switch name := e.Timer; {
	case name == durable.Resumed:
		o.resumeWork(tx)
	case name == dueTimer:
		o.handleDue(tx)
	case name == loop.GatherTimer:
		o.loop.GatherTimerFired(tx)
	case strings.HasPrefix(name, flow.SliceTimer):
		o.loop.SliceFired(tx, name)
	case name == audience.ReplayTimer:
		o.audience.SendNextPage(tx)
	case name == audience.ShowTimer:
		_, at := o.askersAt(tx)
		o.audience.ShowOwed(tx, func(what audience.Shown, id, who string) string { return o.newest(tx, what, id, who) }, at)
	case name == mcpserver.AliveTimer, strings.HasPrefix(name, mcpserver.SlowTimer):
		if o.mcpServer != nil {
			o.mcpServer.TimerFired(tx, name)
		}
	default:
		o.modelEvent(tx, name, e)
	}
}

// modelEvent hands an event of a fetch or a timer of a model to the room that has asked the model.
func (o *Object) modelEvent(tx *durable.Tx, name string, event durable.Event) {
	if !strings.HasPrefix(name, mcpclient.SampleOf) {
		o.loop.ModelEvent(tx, name, event)
	} else if o.servers != nil {
		o.servers.Sampled(tx, name, event)
	}
}

// handle hands an event to the room that it is for.
func (o *Object) handle(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.Opened:
		o.open(tx, e)
	case durable.SocketOpened:
		o.takeSignature(e.Claims)
		o.socketOpened(tx, e)
	case durable.SocketMessage:
		if !o.signed { // the socket may be older than the secret is
			o.takeSignature(e.Claims)
		}
		o.noteOwner(tx, e.Conn, e.Claims)
		if o.admits(tx, e) && !o.relay(tx, e) {
			o.receive(tx, e)
		}
	case durable.SocketClosed:
		o.socketClosed(tx, e.Conn)
	case durable.RequestReceived:
		o.takeSignature(e.Claims)
		o.respond(tx, e)
	case durable.AlarmFired:
		o.alarm.Fired(tx)
		o.handleDue(tx)
	case durable.TimerFired:
		o.timerFired(tx, e)
	case durable.FetchResponded:
		o.fetched(tx, e.Fetch, e)
	case durable.FetchChunk:
		o.fetched(tx, e.Fetch, e)
	case durable.FetchEnded:
		o.fetched(tx, e.Fetch, e)
	case durable.FetchFailed:
		o.fetched(tx, e.Fetch, e)
	case durable.StreamDrained:
		if o.mcpServer == nil || !o.mcpServer.Drained(e.Stream) {
			o.tails.Drained(tx, e.Stream)
		}
	case durable.StreamCancelled:
		if o.mcpServer == nil || !o.mcpServer.Cancelled(tx, e.Stream) {
			o.streamCancelled(tx, e.Stream)
		}
	default:
		o.handleHelper(tx, event)
	}
}

// handleHelper handles an event between objects: calls and streams from helpers and from the parent.
func (o *Object) handleHelper(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.CallReceived:
		if data := helperMethods.Serve(helperCall{object: o, tx: tx, call: e.Call}, e.Data); data != nil {
			tx.Do(durable.Answer{Call: e.Call, Data: data})
		}
	case durable.CallAnswered:
		o.callReturned(tx, e.Call, e.Data, "")
	case durable.CallFailed:
		o.callReturned(tx, e.Call, nil, e.Error)
	case durable.StreamRequested:
		if err := helperMethods.Open(helperCall{object: o, tx: tx, stream: e.Stream}, e.Data); err != nil {
			tx.Do(durable.Emit{Stream: e.Stream, Data: wire.Refuse(err)}, durable.EndStream{Stream: e.Stream})
		}
	case durable.StreamData:
		if conn, ok := strings.CutPrefix(e.Stream, facet.DrillInPrefix); ok {
			o.drill.Data(tx, durable.ConnID(conn), e.Data)
		} else {
			o.runs.Read(tx, strings.TrimPrefix(e.Stream, facet.TailPrefix), e.Data)
		}
	case durable.StreamEnded:
		o.streamEnded(tx, e.Stream, "it ended without an end")
	case durable.StreamFailed:
		o.streamEnded(tx, e.Stream, e.Error)
	}
}

// streamCancelled handles that the parent does not read a stream any more.
func (o *Object) streamCancelled(tx *durable.Tx, name string) {
	o.tails.Close(tx, name)
	if conn, ok := o.drill.SocketCancelled(name); ok && !o.drill.Close(tx, conn) {
		o.audience.Remove(tx, conn)
		o.audience.ForgetLines(tx, conn)
	}
}

// streamEnded handles the end of a stream that this object reads.
func (o *Object) streamEnded(tx *durable.Tx, name, why string) {
	if conn, ok := strings.CutPrefix(name, facet.DrillInPrefix); ok {
		o.drill.Ended(tx, durable.ConnID(conn))
		return
	}
	if r, ok := run.Find(tx, strings.TrimPrefix(name, facet.TailPrefix)); ok {
		o.runs.TailBroke(tx, r, why)
	}
}
