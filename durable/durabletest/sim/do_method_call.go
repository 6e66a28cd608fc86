package sim

import (
	"encoding/json"
	"fmt"
	"strings"
)

// doMethodCall has a person call a method of the root.
func (s *Sim) doMethodCall(verb string, t *tab, rest string) {
	if !t.callsMethods() {
		return
	}
	words := append(strings.SplitN(rest, " ", 4), "", "", "", "")
	switch verb {
	case "submit":
		it := submission{id: words[1], key: words[2], text: words[3]}
		s.submitted = append(s.submitted, it)
		s.callMethod(t, "runTurn", map[string]string{"mode": words[0], "id": given(it.id), "key": given(it.key), "text": it.text})
	case "withdraw":
		s.callMethod(t, "cancelSubmission", words[0])
	case "schedule":
		o := ScheduleRequest{ID: words[0], Kind: Kind(words[1]), MS: int64(number(words[2])), Does: Action(words[3])}
		s.ordered, s.orders = append(s.ordered, o.ID), append(s.orders, o)
		s.callMethod(t, "schedule", o)
	case "unschedule":
		s.callMethod(t, "cancelSchedule", words[0])
	}
}

// callsMethods says whether a tab is connected to the root.
func (t *tab) callsMethods() bool { return t.path == "" && t.page != nil && t.page.Identified }

func given(word string) string {
	if word == absent {
		return ""
	}
	return word
}

// callMethod sends what the published client does when a page calls a method. Who has called
// is known by the connection, so the page needs not hear of it.
func (s *Sim) callMethod(t *tab, method string, arg any) {
	s.calls++
	frame, err := json.Marshal(rpc{Type: "rpc", ID: fmt.Sprintf("%s-call%d", t.name, s.calls), Method: method, Args: []any{arg}})
	if err != nil {
		panic("sim: " + err.Error())
	}
	s.post(t, string(frame))
}

// rpc is a call of a method.
type rpc struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Method string `json:"method"`
	Args   []any  `json:"args"`
}
