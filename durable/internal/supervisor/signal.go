package supervisor

import (
	"cmp"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is the owner's side of signals to runs. A signal is a row until the run's helper has
// stored it. One call at a time brings a helper its signals, so they arrive in their order.

// Signal takes a signal to a run, from a sender with some claims. It says what has become of the signal, and in words why it was not
// taken. A signal without an id is given one. The error says what is wrong with the signal itself, or
// that the root hosts the run. The signal then has no state.
func (s *Supervisor) Signal(tx *durable.Tx, id string, sig run.Signal, by string) (_ run.Signal, state run.SignalState, refusal string, err error) {
	if err := CheckSignal(id, sig); err != nil {
		return sig, "", "", err
	}
	named := sig.ID != ""
	r, ok := run.FindBrief(tx, id)
	if !ok {
		return sig, run.SignalUnknown, fmt.Sprintf("there is no run %.80q", id), nil
	}
	if r.Hosted != nil {
		return sig, "", "", hostedByRoot(id)
	}
	if !named {
		sig.ID = tx.NewID()
	}
	switch state = run.KeepSignal(tx, r, &sig, named, by); state {
	case run.SignalOver:
		refusal = fmt.Sprintf("run %s is over: %s", id, r.Status)
	case run.SignalFull:
		refusal = fmt.Sprintf("run %s has as many signals waiting as it may have: %d, and %d bytes together, of one person a quarter", id, limit.Signals, limit.SignalBytes)
	case run.SignalKept:
		s.sendSignals(tx, r)
		if !tx.Scheduled(dueReconcile, "") {
			s.ArmReconcile(tx)
		}
	}
	return sig, state, refusal, nil
}

// CheckSignal says what is wrong with a signal to the run with an id.
func CheckSignal(id string, sig run.Signal) error {
	if err := cmp.Or(CheckID(id), flow.CheckSignalName(sig.Name)); err != nil {
		return err
	}
	switch {
	case sig.ID != "" && !limit.IsName(sig.ID, limit.SignalID):
		return fmt.Errorf("the id of a signal has 1 to %d bytes of text without control characters: %.40q", limit.SignalID, sig.ID)
	case len(sig.Payload) > limit.SignalPayload:
		return fmt.Errorf("the payload has %d bytes, at most %d", len(sig.Payload), limit.SignalPayload)
	case protocol.Check(sig.Payload) != nil:
		return fmt.Errorf("the payload is no JSON that can be kept: %w", protocol.Check(sig.Payload))
	}
	return nil
}

// sendSignals brings a run's helper the signals that it has not acknowledged. A helper that has not
// taken its run yet is brought them when it has.
func (s *Supervisor) sendSignals(tx *durable.Tx, r run.Run) {
	if r.Slot == 0 || r.Status.Final() || r.Status == run.Starting || s.signalling[r.ID] || tx.Scheduled(dueSignal, r.ID) {
		return
	}
	batch := run.UnacknowledgedSignals(tx, r.ID)
	if len(batch) == 0 {
		return
	}
	if s.signalling == nil {
		s.signalling = map[string]bool{}
	}
	s.signalling[r.ID] = true
	tx.Do(durable.Call{Call: facet.CallSignal + r.ID, To: facet.Of(r), Data: facet.Signal.Request(facet.SignalRequest{Run: r.ID, Generation: r.Generation, Signals: batch})})
}

// Signalling says whether the helper of a run is being brought signals.
func (s *Supervisor) Signalling(run string) bool { return s.signalling[run] }

// sendAllSignals calls every helper that has signals left to acknowledge, also if a call is under
// way: it may hang.
func (s *Supervisor) sendAllSignals(tx *durable.Tx, again func(kind, id string) bool) {
	for _, r := range run.Signalled(tx) {
		if r.Status == run.Starting || tx.Scheduled(dueSignal, r.ID) || !again(owedSignals, r.ID) {
			continue
		}
		if s.signalling[r.ID] {
			s.report(tx, SignalsKept{r.ID})
			delete(s.signalling, r.ID)
		}
		s.sendSignals(tx, r)
	}
}

// retrySignals calls a helper again that could not be brought its signals.
func (s *Supervisor) retrySignals(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok {
		s.sendSignals(tx, r)
	}
}

// signalsReturned handles a helper's answer to its signals. If the helper cannot be reached, it is
// called again: ten times in 48 seconds, and then with every reconciliation.
func (s *Supervisor) signalsReturned(tx *durable.Tx, id string, data []byte, failure string) {
	delete(s.signalling, id)
	r, ok := run.FindBrief(tx, id)
	if !ok || r.Status.Final() {
		return
	}
	result, err := facet.Signal.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	switch {
	case failure != "":
		s.signalsFailed(tx, r, failure)
		return
	case result.Over: // the stream brings the end, and then the signals are dropped
		s.report(tx, SignalsOver{id})
		s.resumeDormant(tx, r) // the answer to the signal that has ended it may be lost
		return
	}
	run.AcknowledgeSignals(tx, id, result.Last)
	acknowledged(tx, owed{owedSignals, id})
	s.report(tx, SignalsStored{id, result.Last, result.Unreceived})
	grown, dormant := run.NoteReceived(tx, &r, result.Received), s.isDormant(tx, r)
	switch {
	case dormant && (grown || result.GoesOn):
		s.resumeDormant(tx, r)
	case dormant:
		s.ArmReconcile(tx)
	case grown && s.tailReaders[id] != nil:
		s.tailReaders[id].signalled = true
	}
	s.sendSignals(tx, r)
}

func (s *Supervisor) signalsFailed(tx *durable.Tx, r run.Run, why string) {
	s.report(tx, SignalsKept{r.ID})
	attempts := run.SignalsFailed(tx, r.ID)
	tx.Log(durable.Warn, "a helper could not be brought its signals", "run", r.ID, "error", why)
	if attempts < maxSendAttempts {
		tx.Schedule(dueSignal, r.ID, tx.Now+reachBackoff.Wait(attempts))
	}
	s.ArmReconcile(tx)
}

// endSignals ends the work on the signals to a run that is over.
func (s *Supervisor) endSignals(tx *durable.Tx, r run.Run) {
	if tx.Made("signal") {
		delete(s.signalling, r.ID)
		tx.Unschedule(dueSignal, r.ID)
		s.report(tx, SignalsOver{r.ID})
	}
}

// noteReceived stores how many signals a run has received, as its helper reports.
func (s *Supervisor) noteReceived(tx *durable.Tx, r *run.Run, by run.Received) {
	if by.Signals > 0 {
		run.NoteReceived(tx, r, by)
	}
}

// isOutdated says whether a helper has received a signal since it said in its stream that nothing
// would happen for long. The answer to the signal can arrive before the end of the stream.
func (s *Supervisor) isOutdated(tx *durable.Tx, r run.Run, p facet.Pause) bool {
	f := s.tailReaders[r.ID]
	return f != nil && f.signalled && run.HasReceived(tx, r.ID).Signals > p.Received
}
