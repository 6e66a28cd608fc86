package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Progress is how far a run has come, as its helper has last said. What is empty in it
// was not said.
type Progress struct {
	// Fraction is what is done, up to 1.
	Fraction float64 `json:"fraction,omitempty"`
	// Phase names the part of the work, Message is for people, and Data for programs.
	Phase   string          `json:"phase,omitempty"`
	Message string          `json:"message,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	// At is when it was said, in milliseconds since 1970.
	At int64 `json:"at"`
	// Milestones is how many milestones the run had reached then.
	Milestones int64 `json:"milestones,omitempty"`
}

// Report notes how far a run has come, where that is news: the reports of a run are
// numbered from 1 on, and one that was heard already, or comes late, changes nothing.
func Report(tx *durable.Tx, r *Run, n int64, p Progress) bool {
	if n <= r.Reports {
		return false
	}
	r.Reports, r.Progress, r.HeardAt = n, &p, tx.Now
	stored, err := json.Marshal(p)
	if err != nil {
		panic("run: " + err.Error())
	}
	tx.SQL(`UPDATE run SET reports = ?, progress = ?, heard_at = ? WHERE seq = ?`, n, string(stored), tx.Now, r.Seq)
	return true
}

// progress reads what is stored of a run's progress, if anything is that can be read.
func progress(stored json.RawMessage) *Progress {
	var p Progress
	if stored == nil || json.Unmarshal(stored, &p) != nil {
		return nil
	}
	return &p
}
