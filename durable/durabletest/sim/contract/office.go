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
	// Pay has an effect once for its wish, in the whole tree. It asks the server whether it has
	// happened, and can be undone.
	Pay = "pay"
	// Book has an effect once for its wish, in one object. Its server knows no keys, and does not say
	// what has happened.
	Book = "book"
	// Dispatch is a tool of helpers. It has a clerk work in the background, and the end of that goes to
	// [NotifyHandler].
	Dispatch = "dispatch"
	// Mail is a tool of helpers. It waits for a courier, which sends a researcher into the background.
	Mail = "mail"
)

var office = []string{Commission, Errand, Pay, Book, Dispatch, Mail}

// The handlers of the ends of detached runs. The root and all helpers that begin such runs have the
// first one. A courier alone has the second one.
const (
	NotifyHandler  = "notify"
	CourierHandler = "delivered"
)

// HandlerOf returns the handler for the run that a courier begins for a query.
func HandlerOf(query string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte("handler of " + query))
	return []string{NotifyHandler, CourierHandler}[h.Sum32()%2]
}

// Order is the input of [Pay] and of [Book].
type Order struct {
	Wish string `json:"wish" jsonschema:"what is wished"`
	Note string `json:"note" jsonschema:"how it is wished"`
}

// Wishes are what may be wished, and Notes how. Most wishes have the same note: a wish with another
// note is another input with the same key.
var (
	Wishes = []string{"apples", "pears", "plums", "quinces"}
	Notes  = []string{"usual", "usual", "usual", "usual", "usual", "usual", "usual", "other"}
)

// Paid is the output of [Pay] and of [Book].
type Paid struct {
	Receipt string `json:"receipt"`
}

// The paths of the requests of actions. The wish comes behind the first three, and the key
// behind the last.
const (
	PayPath  = "payments/"
	BookPath = "bookings/"
	// DepositPath is for the payments that a clerk itself remembers.
	DepositPath = "deposits/"
	SettlePath  = "settle/"
)

// The answers to the question whether an action has happened.
const (
	Happened = "happened"
	DidNot   = "did not"
)

// IsAction says whether a tool acts once for a wish. Its calls may have equal inputs.
func IsAction(tool string) bool { return tool == Pay || tool == Book }

// InOffice says whether a tool is one of the office.
func InOffice(tool string) bool { return slices.Contains(office, tool) }

// The classes of the office's helpers.
const (
	Clerk   = "Clerk"
	Courier = "Courier"
)

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

// NoStep is in the failure of a run that was to begin from a step that the other run has not made.
const NoStep = "there is no step"

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
	// Pays is what it pays for before its last step, or "". Undoes says that it takes that back.
	Pays   string
	Undoes bool
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
	if n/432%2 == 0 {
		j.Pays, j.Undoes = Wishes[n/864%uint32(len(Wishes))], n/3456%3 == 0
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
	// Paid is the receipt of what it has paid for, and NotPaid why it has not paid.
	Paid    string `json:"paid,omitempty"`
	NotPaid string `json:"notPaid,omitempty"`
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
