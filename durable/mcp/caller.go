package mcp

// The names of what a request says about itself, in its _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLevel        = "io.modelcontextprotocol/logLevel"
	metaServer       = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// Caller is what a client says about itself with a request. In the legacy era it says the most of it
// once, with [Initialize], and a request has only the Progress.
type Caller struct {
	Version      string
	Info         Info
	Capabilities ClientCapabilities
	// Level is the lowest level of the log lines that the client wants, or "" for none.
	Level string
	// Progress is the token under which the client wants to be told of progress, if it does.
	Progress ID
}

func (c Caller) write(w *writer) {
	modern := Modern(c.Version)
	if !modern && !c.Progress.Exists() {
		return
	}
	w.open("_meta", '{')
	w.id("progressToken", c.Progress)
	if modern {
		w.text(metaVersion, c.Version)
		c.Info.write(w, metaClient)
		c.Capabilities.encode(w, metaCapabilities)
		w.some(metaLevel, c.Level)
	}
	w.close('}')
}

// ParseCaller reads what a request says about its sender. Its error is for a modern request that leaves
// out what it must say. A request without a version is a legacy one.
func ParseCaller(m Message) (Caller, error) {
	meta := m.Params.Get("_meta")
	c := Caller{
		Version: meta.text(metaVersion), Info: parseInfo(meta.Get(metaClient)),
		Capabilities: parseClientCapabilities(meta.Get(metaCapabilities)), Level: meta.text(metaLevel),
	}
	c.Progress, _ = ParseID(meta.Get("progressToken"))
	if !meta.Get(metaVersion).Exists() {
		return c, nil
	}
	if c.Version == "" {
		return c, invalidParams("_meta must have " + metaVersion + ", a text")
	}
	if Modern(c.Version) && !meta.hasObject(metaCapabilities) {
		return c, invalidParams("_meta must have " + metaCapabilities + ", an object")
	}
	return c, nil
}

// levels are the levels of log lines, the least important first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// Logs says whether a client that asked for a level wants a line of another level. An unknown level of
// either is never wanted.
func Logs(asked, line string) bool {
	a, l := levelIndex(asked), levelIndex(line)
	return a >= 0 && l >= a
}

func levelIndex(level string) int {
	for i, l := range levels {
		if l == level {
			return i
		}
	}
	return -1
}
