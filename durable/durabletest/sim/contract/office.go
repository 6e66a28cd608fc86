package contract

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// OfficeVar is the variable that makes the root offer the office: tools whose helpers are clerks. A
// clerk runs a program: steps with attempts, signals, a question to a person, and an action. Steps
// and actions have effects at the [OfficeServer].
const OfficeVar = "OFFICE"

// The tools of the office. Each takes a query.
const (
	// Commission has a clerk work, and waits for it.
	Commission = "commission"
	// Errand has a clerk work in the background.
	Errand = "errand"
)

var office = []string{Commission, Errand}

// InOffice says whether a tool is one of the office.
func InOffice(tool string) bool { return slices.Contains(office, tool) }

// Clerk is the class of a clerk.
const Clerk = "Clerk"

// OfficeServer is where the effects of the office happen.
const OfficeServer = "http://office.test/"

// StepPath begins the path of the requests of steps. The step's name comes behind it.
const StepPath = "steps/"

// ToOffice says whether a request goes to the office's server.
func ToOffice(f durable.Fetch) bool { return strings.HasPrefix(f.URL, OfficeServer) }

// The steps of a clerk, in the order in which it makes them.
const (
	FirstStep  = "first"
	SecondStep = "second"
	LastStep   = "last"
)

// Steps are the steps of a clerk, in order.
var Steps = []string{FirstStep, SecondStep, LastStep}

// Go is the name of the signal that a clerk waits for.
const Go = "go"

// AskTool is the name of the tool in the part of a question.
const AskTool = "ask"

// Choices are the answers that a question with a form can have.
var Choices = []string{"red", "green", "blue"}

// The kinds of questions.
const (
	YesOrNo = "yes or no"
	OneOf   = "one of"
)

// Job is what a clerk does. It follows from the query.
type Job struct {
	// Signals is how many signals the clerk waits for.
	Signals int
	// Asks is the kind of the question that it asks, or "".
	Asks string
	// Beside says that it waits for the signals and the answer side by side.
	Beside bool
	// Patience is how long it waits for each of them, or 0 if it waits for ever.
	Patience time.Duration
	// Bare says that the requests of its steps must not be repeated.
	Bare bool
}

// JobOf returns the job of a query.
func JobOf(query string) Job {
	h := fnv.New32a()
	_, _ = h.Write([]byte(query))
	n := h.Sum32()
	j := Job{Signals: int(n % 4), Asks: []string{"", YesOrNo, OneOf, OneOf}[n/4%4], Beside: n/16%3 == 0, Bare: n/48%3 == 0}
	if n/144%3 == 0 {
		j.Patience = 40 * time.Second
	}
	return j
}

// OfficeReport is the output of a clerk.
type OfficeReport struct {
	Query string `json:"query"`
	// Receipts are what the server has answered, by step. Failed are the errors of the steps that have
	// failed.
	Receipts map[string]string `json:"receipts"`
	Failed   map[string]string `json:"failed,omitempty"`
	// Signals are the ids of the signals that were received. Missed says that one did not come in time.
	Signals []string `json:"signals"`
	Missed  bool     `json:"missed,omitempty"`
	// Answer is the answer to the question: "yes", "no", "denied", "late" or one of [Choices].
	Answer string `json:"answer,omitempty"`
}

// Receipt is what the server answers to a request that has had its effect.
func Receipt(key string) string { return "receipt-" + key }

// KeyHeader is the header with the key of a request.
const KeyHeader = "Idempotency-Key"

// Key returns the key of a request, or "".
func Key(f durable.Fetch) string {
	for _, h := range f.Header {
		if strings.EqualFold(h.Name, KeyHeader) {
			return h.Value
		}
	}
	return ""
}
