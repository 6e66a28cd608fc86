package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Progress is how far a run has come, as its code reports it. A field that is empty is not sent.
type Progress struct {
	// Fraction is the share of the work that is done, from 0 to 1.
	Fraction float64
	// Phase names the current part of the work, in 128 bytes at most. Message describes it to
	// people, in 1 KiB at most.
	Phase, Message string
	// Data is for programs. It becomes JSON of at most 4 KiB.
	Data any
}

// checked returns the progress in the form that is sent, or says what is wrong with it.
func (p Progress) checked() (run.Progress, error) {
	r := run.Progress{Fraction: min(p.Fraction, 1), Phase: p.Phase, Message: p.Message}
	switch {
	case !(p.Fraction >= 0): // NaN is refused too
		return r, fmt.Errorf("progress: a fraction of %v, not from 0 to 1", p.Fraction)
	case len(p.Phase) > limit.Phase:
		return r, fmt.Errorf("progress: a phase of %d bytes, at most %d", len(p.Phase), limit.Phase)
	case len(p.Message) > limit.ReportWords:
		return r, fmt.Errorf("progress: a message of %d bytes, at most %d", len(p.Message), limit.ReportWords)
	}
	var err error
	r.Data, err = reportData(p.Data)
	if err != nil {
		return r, fmt.Errorf("progress: %w", err)
	}
	return r, nil
}

func reportData(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	data, err := limit.MarshalWithin(v, limit.ReportData)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// ReportProgress tells the watchers of a helper's run how far it has come. A report replaces the
// one before it. Reports are sent at most five times a second; the last of many always arrives, and
// a report that all the work is done is sent at once. In a call of another program the report goes to
// that program, see [Expose]. Elsewhere outside of a run it goes to nobody. A report that is too large, or whose fraction is negative, is an error.
//
// ReportProgress is an await like any other, and a call has 10,000 of them ([flow.MaxAwaits]): code
// with more items than that reports every hundredth item.
func (c *Context) ReportProgress(p Progress) error {
	checked, err := p.checked()
	if err != nil {
		return err
	}
	_, err = flow.Step(c, "report progress", func(tx *durable.Tx) (any, error) {
		if c.code.Outside != 0 {
			c.object.Report(tx, c.code.Call.ID, checked)
			return nil, nil
		}
		c.object.Tails().Report(tx, c.object.Loop().Turn().Seq, checked)
		return nil, nil
	})
	return err
}
