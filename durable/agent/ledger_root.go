package agent

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	actions "github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about tools with [Tool.Across] in helpers: the root keeps their keys.

// ask has a request go up, as an await of the code. What it takes is given back if the code does not wait
// for it any more. What is to be noted of an action is noted all the same.
func (l ledger) ask(name string, takeBack bool, request func() actions.Request) ([]byte, error) {
	c := l.c
	return c.Await(flow.Op{
		Name: name, FromParent: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			c.object.Runs().AskLedger(tx, rootRequest(tx, actions.Ask(tx, key, request())))
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) {
			if !takeBack {
				return
			}
			if up, ok := actions.DropAtRoot(tx, key); ok {
				c.object.Runs().AskLedger(tx, rootRequest(tx, up))
			}
		},
	}).Wait()
}

func (l ledger) claimAtRoot(w actions.Wish) (got actions.Claimed, err error) {
	c := l.c
	data, err := l.ask("action "+w.Key, true, func() actions.Request {
		w.Request = requestOf(c.object, c.code)
		return actions.ClaimAtRoot(w)
	})
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(data, &got)
}

func (l ledger) changeAtRoot(name string, r actions.Request) error {
	data, err := l.ask(name, false, func() actions.Request { return r })
	if err != nil {
		return err
	}
	var owned bool
	if err := json.Unmarshal(data, &owned); err != nil || !owned {
		return errGivenUp
	}
	return nil
}

// doneAtRoot returns the actions that the root has done for the code, newest first.
func (l ledger) doneAtRoot() (list []actions.Did, err error) {
	data, err := l.ask("action list above", true, func() actions.Request { return actions.DoneAtRoot(l.c.code.Run, l.c.code.Call.ID) })
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(data, &list)
	for i := range list {
		list[i].AtRoot = true
	}
	return list, err
}

func (l ledger) beginUndoAtRoot(seq int64) (taken, error) {
	for {
		data, err := l.ask("action undo", true, func() actions.Request { return actions.UndoAtRoot(seq) })
		if err != nil {
			return taken{}, err
		}
		var a *actions.Action
		if err := json.Unmarshal(data, &a); err != nil {
			return taken{}, err
		}
		if a != nil {
			return takenOf(*a), nil
		}
	}
}

func (l ledger) abandonAtRoot(tx *durable.Tx, seq int64, routine string, begun bool, why string) {
	l.c.object.Runs().AskLedger(tx, rootRequest(tx, actions.AbandonAtRoot(tx, seq, routine, begun, why)))
}

// rootRequest returns a request on its way: its number there is even, see [supervisor.Ledger].
func rootRequest(tx *durable.Tx, up actions.RootRequest) facet.HostRequest {
	token := task.Token(tx)
	return facet.HostRequest{Run: "action-" + token + "-" + strconv.FormatInt(up.N, 10), Request: up.N << 1, Token: token, Action: up.Body}
}

// codeIsOver releases what code works on that is over, in this ledger and in the root's.
func codeIsOver(tx *durable.Tx, routine string, open []string) {
	actions.Gone(tx, routine)
	if task.HasToken(tx) && actions.GoneAtRoot(tx, routine, open) {
		tx.Schedule(supervisor.DueAsk, "", tx.Now)
	}
}

// actionLedger implements [supervisor.Ledger].
type actionLedger struct{}

func (actionLedger) Pending(tx *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	for _, up := range actions.Pending(tx, after>>1, most) {
		list = append(list, rootRequest(tx, up))
	}
	return list
}

func (actionLedger) TakeReply(tx *durable.Tx, reply []byte) {
	var r actions.Reply
	if json.Unmarshal(reply, &r) == nil && r.N > 0 {
		actions.TakeReply(tx, r)
	}
}

func (actionLedger) Serve(tx *durable.Tx, req *facet.HostRequest, keep time.Duration) []byte {
	from := actions.From{Token: req.Token, Path: string(limit.MustMarshal(req.Path)), Run: req.Path[0].Run}
	return limit.MustMarshal(actions.Serve(tx, from, req.Request>>1, req.Action, keepFor(keep)))
}

func (actionLedger) Notices(tx *durable.Tx, most int) (list []supervisor.LedgerNotice) {
	for _, w := range actions.Notices(tx, most) {
		var path []run.Hop
		if json.Unmarshal([]byte(w.Path), &path) != nil {
			path = nil
		}
		list = append(list, supervisor.LedgerNotice{ID: w.ID << 1, Path: path, Attempts: w.Attempts, Reply: limit.MustMarshal(w.AskAgain())})
	}
	return list
}

func (actionLedger) NotifyAgainAt(tx *durable.Tx, id, at int64) { actions.NotifyAgainAt(tx, id>>1, at) }

func (actionLedger) NextNotice(tx *durable.Tx) int64 { return actions.NextNotice(tx) }

func (actionLedger) Acknowledge(tx *durable.Tx, id int64) { actions.Acknowledge(tx, id>>1) }
