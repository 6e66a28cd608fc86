package model

// The variables of a deployment that choose its model.
const (
	// VarProvider is the [Provider.Name] of the chosen provider. The default is the first of
	// [Providers].
	VarProvider = "MODEL_PROVIDER"
	// VarBaseURL is the address of the endpoint, without /chat/completions or /messages.
	VarBaseURL = "MODEL_BASE_URL"
	// VarName is the model's name as the endpoint knows it.
	VarName = "MODEL_NAME"
	// VarKey is the name of the secret that holds the endpoint's key.
	VarKey = "MODEL_API_KEY"
	// VarMaxTokens is the maximum length of one answer, in tokens.
	VarMaxTokens = "MODEL_MAX_TOKENS"
	// VarMaxTokensField is the name of the field of a request for chat completions that holds
	// [VarMaxTokens]: "max_tokens" or "max_completion_tokens".
	VarMaxTokensField = "MODEL_MAX_TOKENS_FIELD"
	// VarOutput says how a model is restricted to a schema: by the provider ("native", the default)
	// or only by its instructions ("prompt").
	VarOutput = "MODEL_OUTPUT"
)

// Provider makes a model from the settings of a deployment.
type Provider struct {
	// Name is the value of [VarProvider] that chooses the provider.
	Name string
	// Open returns the model that the settings describe. Its error is an [*Error] of the kind
	// [Misconfigured] that says what to set.
	Open func(settings Settings) (Model, error)
}

// Providers is the list that a deployment chooses from with [VarProvider]. The first is the
// default. A module contains only the providers in its list.
type Providers []Provider

// Open returns the model that a deployment's variables describe. secrets are the names of its
// secrets. The error is an [*Error] of the kind [Misconfigured] that says what to set.
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

// names joins the names for people: "a", "b" or "c".
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
