package mcp

// Answer is the answer to a question of a server: [ElicitResult], [Sampled] or [RootList].
type Answer interface{ write(w *writer) }

// What a person does with a question.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// ElicitResult is a person's answer to [Elicit].
type ElicitResult struct {
	// Action is [Accept], [Decline] or [Cancel].
	Action string
	// Content is an object with what was filled in, or missing.
	Content Value
}

func (r ElicitResult) write(w *writer) {
	w.text("action", r.Action)
	w.value("content", r.Content)
}

// ParseElicitResult reads a person's answer. Whether it fits the schema is not checked here.
func ParseElicitResult(v Value) (ElicitResult, error) {
	r := ElicitResult{Action: v.text("action"), Content: v.Get("content")}
	switch r.Action {
	case Accept, Decline, Cancel:
	default:
		return r, invalidParams("an answer's action must be accept, decline or cancel")
	}
	if r.Content.Exists() && !r.Content.IsObject() {
		return r, invalidParams("an answer's content must be an object")
	}
	return r, nil
}

// Sampled is a model's answer to [Sample].
type Sampled struct {
	Message SampleMessage
	Model   string
	// Stop is why the model has stopped, such as endTurn.
	Stop string
}

func (r Sampled) write(w *writer) {
	r.Message.write(w)
	w.text("model", r.Model)
	w.some("stopReason", r.Stop)
}

// ParseSampled reads a model's answer.
func ParseSampled(v Value) (Sampled, error) {
	r := Sampled{Message: parseSampleMessage(v), Model: v.text("model"), Stop: v.text("stopReason")}
	if r.Message.Role == "" || r.Message.Content == nil || r.Model == "" {
		return r, invalidParams("a model's answer must have a role, content and a model")
	}
	return r, nil
}

// RootList is the answer to [Roots].
type RootList []Root

// Root is a folder that a server may use.
type Root struct{ URI, Name string }

func (r RootList) write(w *writer) {
	w.open("roots", '[')
	for _, root := range r {
		w.open("", '{')
		w.text("uri", root.URI)
		w.some("name", root.Name)
		w.close('}')
	}
	w.close(']')
}

// ParseRootList reads a list of roots.
func ParseRootList(v Value) (RootList, error) {
	if !v.Get("roots").IsList() {
		return nil, invalidParams("an answer must have roots")
	}
	list := RootList{}
	for _, root := range v.Get("roots").Items() {
		if !root.hasText("uri") {
			return nil, invalidParams("a root must have a URI")
		}
		list = append(list, Root{URI: root.text("uri"), Name: root.text("name")})
	}
	return list, nil
}

// EncodeAnswer returns the answer to a request of a legacy server.
func EncodeAnswer(id ID, answer Answer) []byte {
	w := begin(id)
	w.open("result", '{')
	answer.write(w)
	w.close('}')
	w.close('}')
	return w.out
}
