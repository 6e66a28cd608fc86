package facet

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// SlotName names the nth slot of a parent.
func SlotName(n int) string { return "helper-" + strconv.Itoa(n) }

// Of is the facet of a run's helper.
func Of(r run.Run) durable.Facet {
	return durable.Facet{Slot: SlotName(r.Slot), Class: r.Class}
}

// The prefixes of the names of calls and streams say their purpose. The id of the run follows, the
// number of the answer that is sent, or the connection of the socket.
const (
	CallCancel = "cancel/"
	CallPage   = "page/"
	CallAnswer = "answer/"
	// CallHosted tells the origin of a hosted run, and CallForward passes that on.
	CallHosted  = "hosted/"
	CallForward = "forward/"
	CallPause   = "pause/"
	CallSignal  = "signal/"
	// CallJournal and CallCopy have the id of the run that begins with a copied journal.
	CallJournal = "journal/"
	CallCopy    = "copy/"
	CallWake    = "waken/"
	TailPrefix  = "tail/"
	// DrillInPrefix names the stream that carries a helper's frames to a socket.
	DrillInPrefix = "drill/"
	// CallFrame carries a socket's frame, and CallMessages a request for the transcript.
	CallFrame    = "frame/"
	CallMessages = "messages/"
)
