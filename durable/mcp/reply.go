package mcp

// Answer is the answer to a question of a server: [ElicitResult], [Sampled] or [RootList].
type Answer interface{ isAnswer() }

// What a person does with a question.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// ElicitResult is a person's answer to [Elicit].
type ElicitResult struct {
	// Action is [Accept], [Decline] or [Cancel].
	Action string `mcp:"action"`
	// Content is an object with what was filled in, or missing.
	Content Value `mcp:"content"`
}

func (ElicitResult) isAnswer() {}

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
	SampleMessage `mcp:""`
	Model         string `mcp:"model"`
	// Stop is why the model has stopped, such as endTurn.
	Stop string `mcp:"stopReason,omit"`
}

func (Sampled) isAnswer() {}

// ParseSampled reads a model's answer.
func ParseSampled(v Value) (Sampled, error) {
	var r Sampled
	_ = decode(v, &r)
	if r.Role == "" || r.Content == nil || r.Model == "" {
		return r, invalidParams("a model's answer must have a role, content and a model")
	}
	return r, nil
}

// RootList is the answer to [Roots].
type RootList []Root

// Root is a folder that a server may use.
type Root struct {
	URI  string `mcp:"uri,need"`
	Name string `mcp:"name,omit"`
}

func (RootList) isAnswer() {}

func (r RootList) encode(w *writer, _ string) { w.fields(rootList{r}) }

// rootList is the form of a RootList in a message.
type rootList struct {
	Roots []Root `mcp:"roots"`
}

// ParseRootList reads a list of roots.
func ParseRootList(v Value) (RootList, error) {
	var r rootList
	if err := decode(v, &r); err != nil || r.Roots == nil {
		return nil, invalidParams("an answer must have roots")
	}
	for _, root := range r.Roots {
		if root.URI == "" {
			return nil, invalidParams("a root must have a URI")
		}
	}
	return r.Roots, nil
}

// EncodeAnswer returns the answer to a request of a legacy server.
func EncodeAnswer(id ID, answer Answer) []byte {
	w := begin(id)
	w.open("result", '{')
	w.fields(answer)
	w.close('}')
	w.close('}')
	return w.out
}
