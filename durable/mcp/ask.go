package mcp

// Ask is a question of a server: [Elicit], [Sample] or [Roots]. A modern server puts it into its answer.
// A legacy one sends it as a request.
type Ask interface {
	// Method is the method of the request.
	Method() string
	// Needs is what the client must have declared.
	Needs() ClientCapabilities
}

// The methods of questions.
const (
	MethodElicit = "elicitation/create"
	MethodSample = "sampling/createMessage"
	MethodRoots  = "roots/list"
)

// Elicit asks a person to fill in a form, or to visit a URL.
type Elicit struct {
	Message string
	// Schema is that of the form, an object with properties that are texts, numbers, booleans or choices.
	// It is missing if there is a URL, and if there is nothing to fill in.
	Schema Value
	// URL is the address to visit, "" for a form.
	URL string
	// ID names a visit in the legacy era.
	ID string
}

// Method is the method of the request.
func (Elicit) Method() string { return MethodElicit }

// Needs is what the client must have declared.
func (a Elicit) Needs() ClientCapabilities {
	return ClientCapabilities{Form: a.URL == "", URL: a.URL != ""}
}

func (a Elicit) encode(w *writer, _ string) {
	if a.URL != "" {
		w.text("mode", "url")
		w.text("message", a.Message)
		w.text("url", a.URL)
		w.some("elicitationId", a.ID)
		return
	}
	w.text("mode", "form")
	w.text("message", a.Message)
	if !a.Schema.Exists() {
		w.raw("requestedSchema", emptyForm)
	}
	w.value("requestedSchema", a.Schema)
}

// emptyForm is the schema of a question that only wants to be accepted.
const emptyForm = `{"type":"object","properties":{}}`

// Defaults returns an object of what the schema of a form proposes.
func (a Elicit) Defaults() Value {
	var w writer
	w.open("", '{')
	properties := a.Schema.Get("properties")
	for i, name := range properties.Names() {
		if proposed := properties.Items()[i].Get("default"); proposed.Exists() {
			w.foreign(name, proposed.JSON())
		}
	}
	w.close('}')
	return w.made()
}

// Visits returns the URLs that a person must visit first, of an error with [CodeLegacyURL]. What is none
// is left out.
func (e *Error) Visits() (list []Elicit) {
	for _, item := range e.Data.Get("elicitations").Items() {
		ask, err := parseElicit(item)
		if visit, ok := ask.(Elicit); err == nil && ok && visit.URL != "" {
			list = append(list, visit)
		}
	}
	return list
}

// Sample asks for an answer of the client's model.
type Sample struct {
	Messages []SampleMessage `mcp:"messages"`
	// Preferences, Tools, ToolChoice and Metadata are as they were sent, or missing.
	Preferences Value  `mcp:"modelPreferences"`
	System      string `mcp:"systemPrompt,omit"`
	// Context is none, thisServer or allServers.
	Context string `mcp:"includeContext,omit"`
	// Temperature is nil if the server does not say it.
	Temperature *float64 `mcp:"temperature"`
	// MaxTokens is the largest size of the answer.
	MaxTokens  int64    `mcp:"maxTokens"`
	Stop       []string `mcp:"stopSequences,omit"`
	Metadata   Value    `mcp:"metadata"`
	Tools      Value    `mcp:"tools"`
	ToolChoice Value    `mcp:"toolChoice"`
}

// SampleMessage is a message of a conversation with a model.
type SampleMessage struct {
	// Role is user or assistant.
	Role    string `mcp:"role"`
	Content Blocks `mcp:"content"`
	Meta    Value  `mcp:"_meta"`
}

// Blocks is content of which a single block is written as itself, which every version takes.
type Blocks []Content

func (b *Blocks) decode(v Value) bool {
	*b = parseContentList(v)
	return *b != nil
}

func (b Blocks) encode(w *writer, name string) {
	if len(b) == 1 {
		b[0].encode(w, name)
		return
	}
	w.open(name, '[')
	for _, c := range b {
		c.encode(w, "")
	}
	w.close(']')
}

// Method is the method of the request.
func (Sample) Method() string { return MethodSample }

// Needs is what the client must have declared.
func (a Sample) Needs() ClientCapabilities {
	return ClientCapabilities{Sampling: true, SamplingTools: a.Tools.Exists()}
}

// Roots asks for the folders that a server may use.
type Roots struct{}

// Method is the method of the request.
func (Roots) Method() string { return MethodRoots }

// Needs is what the client must have declared.
func (Roots) Needs() ClientCapabilities { return ClientCapabilities{Roots: true} }

// ParseAsk reads a question.
func ParseAsk(method string, p Value) (Ask, error) {
	switch method {
	case MethodRoots:
		return Roots{}, nil
	case MethodElicit:
		return parseElicit(p)
	case MethodSample:
		return parseSample(p)
	}
	return nil, errAsk
}

func parseElicit(p Value) (Ask, error) {
	a := Elicit{Message: p.text("message"), ID: p.text("elicitationId")}
	switch mode := p.Get("mode"); {
	case mode.Text() == "url":
		if a.URL = p.text("url"); a.URL == "" || !p.hasText("message") {
			return nil, errLink
		}
	case !mode.Exists() || mode.Text() == "form":
		a.Schema = p.Get("requestedSchema")
		if !p.hasText("message") || a.Schema.Exists() && !a.Schema.hasObject("properties") {
			return nil, errForm
		}
	default:
		return nil, errAsk
	}
	return a, nil
}

func parseSample(p Value) (Ask, error) {
	var a Sample
	if !p.Get("messages").IsList() {
		return nil, errSampling
	}
	_ = decode(p, &a)
	return a, nil
}

// EncodeAsk returns a question as a request of a legacy server.
func EncodeAsk(id ID, ask Ask) []byte {
	w := begin(id)
	w.text("method", ask.Method())
	w.open("params", '{')
	w.fields(ask)
	w.close('}')
	w.close('}')
	return w.out
}
