package check

import "fmt"

// Failure says that a rule does not hold.
type Failure struct {
	// Invariant is the number of the broken invariant, or a word for a rule that has no number.
	Invariant string
	Message   string
	// format tells failures of different meaning apart.
	format string
}

func (f Failure) Error() string { return f.Invariant + ": " + f.Message }

// Like says whether another failure is one of the same check.
func (f Failure) Like(other *Failure) bool {
	return f.Invariant == other.Invariant && f.format == other.format
}

// Report collects the failures of one root.
type Report struct {
	// Failure is the first one that is not expected, or nil.
	Failure *Failure
	// Checks counts the comparisons.
	Checks int
	// Expected counts the failures that are expected, by name, of all roots of an isolate.
	Expected map[string]int
	// first is the report of the first root of the isolate, or nil if this is it.
	first *Report
}

// NewReport returns an empty report.
func NewReport() *Report { return &Report{Expected: map[string]int{}} }

// Beside returns the report of a neighbour. Its failures count for the first root, too.
func (r *Report) Beside() *Report { return &Report{Expected: r.Expected, first: r} }

// Fail reports that a rule does not hold. An expected failure is only counted. Otherwise the first
// failure is kept.
func (r *Report) Fail(invariant, format string, args ...any) {
	f := &Failure{Invariant: invariant, Message: fmt.Sprintf(format, args...), format: format}
	if e, ok := expected(f); ok {
		r.Expected[e.name]++
		return
	}
	if r.Failure == nil {
		r.Failure = f
	}
	if r.first != nil && r.first.Failure == nil {
		r.first.Failure = f
	}
}
