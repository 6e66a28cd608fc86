package run

import "github.com/tributary-agents/tributary/durable"

// HasSent returns how many signals were sent to a run.
func HasSent(tx *durable.Tx, run string) Received { return signalsOf(tx, run).sent }
