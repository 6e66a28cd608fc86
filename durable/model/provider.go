package model

// The variables of a deployment that choose its model.
const (
	// VarProvider names the provider, see [Providers].
	VarProvider = "MODEL_PROVIDER"
	// VarBaseURL is the endpoint's address, before /chat/completions or /messages.
	VarBaseURL = "MODEL_BASE_URL"
	// VarName is the model's name as the endpoint knows it.
	VarName = "MODEL_NAME"
	// VarKey is the secret with the endpoint's key.
	VarKey = "MODEL_API_KEY"
	// VarMaxTokens bounds one answer, in tokens.
	VarMaxTokens = "MODEL_MAX_TOKENS"
	// VarOutput is how a model is held to a schema: "native", which is also the default,
	// by the provider, or "prompt", by its instructions alone.
	VarOutput = "MODEL_OUTPUT"
)

// Provider is a way to reach models that a deployment can choose.
type Provider struct {
	// Name is what the deployment sets [VarProvider] to.
	Name string
	// Open returns the model that the settings ask for. Its error is an [*Error] of the
	// kind [Misconfigured] that says what to set.
	Open func(settings Settings) (Model, error)
}

// Providers are what a deployment can choose from by [VarProvider], the first where it
// does not say. A module links the providers in its list and no others.
type Providers []Provider

// Open returns the model that a deployment's variables ask for. Secrets are the names of
// the secrets that it has. An error is an [*Error] of the kind [Misconfigured] that says
// what to set.
func (p Providers) Open(vars map[string]string, secrets []string) (Model, error) {
	s := Settings{Vars: vars, Secrets: secrets}
	name := s.Value(VarProvider)
	for i, provider := range p {
		if provider.Name == name || name == "" && i == 0 {
			return provider.Open(s)
		}
	}
	return nil, misconfigured(VarProvider + ` is "` + Truncate(name, 60) + `"; set it to ` + p.names())
}

// names lists the names for people: "a", "b" or "c".
func (p Providers) names() string {
	var list string
	for i, provider := range p {
		switch {
		case i > 0 && i == len(p)-1:
			list += " or "
		case i > 0:
			list += ", "
		}
		list += `"` + provider.Name + `"`
	}
	return list
}

func misconfigured(message string) *Error { return &Error{Kind: Misconfigured, Message: message} }
