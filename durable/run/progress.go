package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Progress is the last progress that a run's helper has reported. A field is empty if the report
// did not have it.
type Progress struct {
	// Fraction is the share of the work that is done, up to 1.
	Fraction float64 `json:"fraction,omitempty"`
	// Phase names the part of the work, Message is for people, and Data for programs.
	Phase   string          `json:"phase,omitempty"`
	Message string          `json:"message,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	// At is when the report was made, in milliseconds since 1970.
	At int64 `json:"at"`
	// Milestones is how many milestones the run had reached at that time.
	Milestones int64 `json:"milestones,omitempty"`
}

// Report stores a progress report if it is new. A run numbers its reports from 1 on. A report that
// is a repetition, or comes late, changes nothing.
func Report(tx *durable.Tx, r *Run, n int64, p Progress) bool {
	if n <= r.Reports {
		return false
	}
	r.Reports, r.Progress, r.LastActivity = n, &p, tx.Now
	stored := string(limit.MustMarshal(p)) // a replay shows the data byte by byte as it was shown live
	change(tx, `UPDATE run SET reports = ?, progress = ?, heard_at = ? WHERE seq = ?`, n, stored, tx.Now, r.Seq)
	return true
}

// progress reads the stored progress of a run, or returns nil.
func progress(stored json.RawMessage) *Progress {
	var p Progress
	if stored == nil || json.Unmarshal(stored, &p) != nil {
		return nil
	}
	return &p
}
