package mcp

// InputRequired is the answer of a server that needs to know more before it can go on. The client
// repeats the request with a [Resume].
type InputRequired struct {
	Requests []InputRequest
	// State goes back exactly as it came. It is nil if none came.
	State *string
}

func (InputRequired) resultType() string { return typeInput }

func (r InputRequired) encode(w *writer, _ string) {
	if r.Requests != nil {
		writeRequests(w, r.Requests)
	}
	w.pointer("requestState", r.State)
}

// InputRequest is one question of a server.
type InputRequest struct {
	// Key is the name under which the answer is expected.
	Key string
	Ask Ask
}

// InputResponse is the answer to a question. Value is an [ElicitResult], a [Sampled] or a list of roots,
// as JSON.
type InputResponse struct {
	Key   string
	Value Value
}

// InputResponses are answers to questions, in their order.
type InputResponses []InputResponse

func (r *InputResponses) decode(v Value) bool {
	if !v.IsObject() {
		return false
	}
	*r = InputResponses{}
	for i, name := range v.Names() {
		*r = append(*r, InputResponse{Key: name, Value: v.Items()[i]})
	}
	return true
}

func (r InputResponses) encode(w *writer, name string) {
	w.open(name, '{')
	for _, one := range r {
		w.foreign(one.Key, one.Value.JSON())
	}
	w.close('}')
}

// maxRequests is the number of questions that a server may ask at once.
const maxRequests = 64

func parseInputRequired(v Value) (Result, error) {
	requests, err := parseRequests(v.Get("inputRequests"))
	r := InputRequired{Requests: requests}
	if state := v.Get("requestState"); state.IsText() {
		text := state.Text()
		r.State = &text
	}
	if err == nil && r.Requests == nil && r.State == nil {
		err = errInput
	}
	return r, err
}

func parseRequests(v Value) ([]InputRequest, error) {
	if !v.IsObject() {
		return nil, nil
	}
	if len(v.Items()) > maxRequests {
		return nil, errRequests
	}
	list := []InputRequest{}
	for i, name := range v.Names() {
		ask, err := ParseAsk(v.Items()[i].text("method"), v.Items()[i].Get("params"))
		if err != nil {
			return nil, err
		}
		list = append(list, InputRequest{Key: name, Ask: ask})
	}
	return list, nil
}

func writeRequests(w *writer, list []InputRequest) {
	w.open("inputRequests", '{')
	for _, r := range list {
		w.foreign(r.Key, "{")
		w.text("method", r.Ask.Method())
		w.open("params", '{')
		w.fields(r.Ask)
		w.close('}')
		w.close('}')
	}
	w.close('}')
}

// Respond returns the answer to a question.
func Respond(key string, answer Answer) InputResponse {
	var w writer
	w.open("", '{')
	w.fields(answer)
	w.close('}')
	return InputResponse{Key: key, Value: w.made()}
}

// Repeat returns the call with what is sent again. It is false for a call that cannot be answered by
// [InputRequired].
func Repeat(call Call, resume Resume) (Call, bool) {
	switch c := call.(type) {
	case CallTool:
		c.Resume = resume
		return c, true
	case GetPrompt:
		c.Resume = resume
		return c, true
	case ReadResource:
		c.Resume = resume
		return c, true
	}
	return call, false
}

// The errors of questions.
const (
	errRequests failure = "mcp: the server asks more than 64 questions at once"
	errAsk      failure = "mcp: the server asks in a way that is not known"
	errForm     failure = "mcp: a form must have a message, and a schema with properties if it has one"
	errLink     failure = "mcp: a request to visit a URL must have a message and a URL"
	errSampling failure = "mcp: a request for a model's answer must have messages"
)
