package contract

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// CodeVar is the variable that makes the root offer a tool with which the model runs code over all
// other tools, and the tools that are only there for that: [Stamp] and [Permit].
const CodeVar = "CODE"

const (
	// Code is the name of the tool that runs code.
	Code = "code"
	// Stamp has an effect at the [StampServer] by a request that must not be repeated. It is in front of
	// nobody but code.
	Stamp = "stamp"
)

// ForCode says whether a tool is there for code.
func ForCode(tool string) bool { return slices.Contains([]string{Code, Stamp, Permit}, tool) }

// StampServer is where stamps are. The body of a request is what is stamped.
const StampServer = "http://stamps.test/"

// ToStamps says whether a request goes to the [StampServer].
func ToStamps(f durable.Fetch) bool { return f.URL == StampServer }

// Stamped is the output of [Stamp] for a query, and Permitted that of [Permit].
func Stamped(query string) string   { return "stamped " + query }
func Permitted(query string) string { return "permitted " + query }

// The limits of code, which are low so that what exceeds them takes little time.
const (
	CodeCalls    = 24
	CodeParallel = 3
	CodeWork     = 3_000_000
	CodeStretch  = 1_000_000
	CodeMemory   = 4 << 20
	CodeAnswer   = 24_000
)

// CodeOutput is the result of code that has ended, as the model gets it.
type CodeOutput struct {
	Status string   `json:"status"`
	Result any      `json:"result"`
	Error  string   `json:"error"`
	Logs   []string `json:"logs"`
}
