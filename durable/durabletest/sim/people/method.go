package people

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Submission is the argument of the method runTurn, without its mode.
type Submission struct{ ID, Key, Text string }

// Signal is a signal to a run. Its payload is its id.
type Signal struct{ Run, ID string }

// Absent stands in a decision for an id or a key that is not given.
const Absent = "-"

// callMethod makes a page call a method of the root.
func (p *People) callMethod(verb string, t *Tab, rest string) {
	if !t.CallsMethods() {
		return
	}
	words := append(strings.SplitN(rest, " ", 4), "", "", "", "")
	switch verb {
	case "submit":
		it := Submission{ID: words[1], Key: words[2], Text: words[3]}
		p.Submitted = append(p.Submitted, it)
		p.sendCall(t, "runTurn", map[string]string{"mode": words[0], "id": given(it.ID), "key": given(it.Key), "text": it.Text})
	case "withdraw":
		p.sendCall(t, "cancelSubmission", words[0])
	case "schedule":
		ms, _ := strconv.Atoi(words[2]) // 0 in a script that is malformed
		o := contract.ScheduleRequest{ID: words[0], Kind: contract.Kind(words[1]), MS: int64(ms), Does: contract.Action(words[3])}
		p.Ordered, p.Schedules = append(p.Ordered, o.ID), append(p.Schedules, o)
		p.sendCall(t, "schedule", o)
	case "signal":
		it := Signal{Run: words[0], ID: words[1]}
		p.Signals = append(p.Signals, it)
		p.sendCall(t, "signal", map[string]string{"run": it.Run, "name": contract.Go, "payload": it.ID, "id": it.ID})
	case "pause":
		p.sendCall(t, "pauseRun", words[0], "somebody pauses it")
	case "undo":
		p.sendCall(t, "undoCall", words[0])
	case "settle":
		p.sendCall(t, "settleAction", words[0], words[1] == "yes")
	case "resume", "cancel":
		p.sendCall(t, verb+"Run", words[0])
	case "restart":
		p.sendCall(t, "restartRun", words[0], map[string]string{"from": given(words[1])})
	case "unschedule":
		p.sendCall(t, "cancelSchedule", words[0])
	}
}

func given(word string) string {
	if word == Absent {
		return ""
	}
	return word
}

// sendCall sends the frame of the published client. The answer goes to the connection, so that the
// page need not know of the call.
func (p *People) sendCall(t *Tab, method string, args ...any) {
	p.calls++
	p.sendJSON(t, contract.RPC{Type: "rpc", ID: fmt.Sprintf("%s-call%d", t.Name, p.calls), Method: method, Args: args})
}
