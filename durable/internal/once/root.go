package once

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about actions of helpers whose keys the root keeps.

// ask has a request go up, as an await of the code. What it takes is given back if the code does not wait
// for it any more. What is to be noted of an action is noted all the same.
func (l ledger) ask(name string, takeBack bool, request func() action.Request) ([]byte, error) {
	return l.Await(flow.Op{
		Name: name, FromParent: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			l.Object.Runs().AskLedger(tx, rootRequest(tx, action.Ask(tx, key, request())))
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) {
			if !takeBack {
				return
			}
			if up, ok := action.DropAtRoot(tx, key); ok {
				l.Object.Runs().AskLedger(tx, rootRequest(tx, up))
			}
		},
	}).Wait()
}

func (l ledger) claimAtRoot(w action.Wish) (got action.Claimed, err error) {
	data, err := l.ask("action "+w.Key, true, func() action.Request {
		w.Request = l.Code.Request(l.Object)
		return action.ClaimAtRoot(w)
	})
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(data, &got)
}

func (l ledger) changeAtRoot(name string, r action.Request) error {
	data, err := l.ask(name, false, func() action.Request { return r })
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
func (l ledger) doneAtRoot() (list []action.Did, err error) {
	data, err := l.ask("action list above", true, func() action.Request { return action.DoneAtRoot(l.Code.Run, l.Code.Call.ID) })
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
		data, err := l.ask("action undo", true, func() action.Request { return action.UndoAtRoot(seq) })
		if err != nil {
			return taken{}, err
		}
		var a *action.Action
		if err := json.Unmarshal(data, &a); err != nil {
			return taken{}, err
		}
		if a != nil {
			return takenOf(*a), nil
		}
	}
}

func (l ledger) abandonAtRoot(tx *durable.Tx, seq int64, routine string, begun bool, why string) {
	l.Object.Runs().AskLedger(tx, rootRequest(tx, action.AbandonAtRoot(tx, seq, routine, begun, why)))
}

// rootRequest returns a request on its way: its number there is even, see [supervisor.Ledger].
func rootRequest(tx *durable.Tx, up action.RootRequest) facet.HostRequest {
	token := task.Token(tx)
	return facet.HostRequest{Run: "action-" + token + "-" + strconv.FormatInt(up.N, 10), Request: up.N << 1, Token: token, Action: up.Body}
}

// Forget releases what code works on that is over, in this ledger and in the root's.
func Forget(tx *durable.Tx, routine string, open []string) {
	action.Gone(tx, routine)
	if task.HasToken(tx) && action.GoneAtRoot(tx, routine, open) {
		tx.Schedule(supervisor.DueAsk, "", tx.Now)
	}
}

// Ledger implements [supervisor.Ledger].
type Ledger struct{}

func (Ledger) Pending(tx *durable.Tx, after int64, most int) (list []facet.HostRequest) {
	for _, up := range action.Pending(tx, after>>1, most) {
		list = append(list, rootRequest(tx, up))
	}
	return list
}

func (Ledger) TakeReply(tx *durable.Tx, reply []byte) {
	var r action.Reply
	if json.Unmarshal(reply, &r) == nil && r.N > 0 {
		action.TakeReply(tx, r)
	}
}

func (Ledger) Serve(tx *durable.Tx, req *facet.HostRequest, keep time.Duration) []byte {
	from := action.From{Token: req.Token, Path: string(limit.MustMarshal(req.Path)), Run: req.Path[0].Run}
	return limit.MustMarshal(action.Serve(tx, from, req.Request>>1, req.Action, keepFor(keep)))
}

func (Ledger) Notices(tx *durable.Tx, most int) (list []supervisor.LedgerNotice) {
	for _, w := range action.Notices(tx, most) {
		var path []run.Hop
		if json.Unmarshal([]byte(w.Path), &path) != nil {
			path = nil
		}
		list = append(list, supervisor.LedgerNotice{ID: w.ID << 1, Path: path, Attempts: w.Attempts, Reply: limit.MustMarshal(w.AskAgain())})
	}
	return list
}

func (Ledger) NotifyAgainAt(tx *durable.Tx, id, at int64) { action.NotifyAgainAt(tx, id>>1, at) }

func (Ledger) NextNotice(tx *durable.Tx) int64 { return action.NextNotice(tx) }

func (Ledger) Acknowledge(tx *durable.Tx, id int64) { action.Acknowledge(tx, id>>1) }
