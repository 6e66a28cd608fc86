package model

// The variables of a deployment that choose its model.
const (
	// VarProvider names the provider: "demo", which is also the default, "openai",
	// "anthropic" or "workers-ai".
	VarProvider = "MODEL_PROVIDER"
	// VarBaseURL is the endpoint's address, before /chat/completions or /messages.
	VarBaseURL = "MODEL_BASE_URL"
	// VarName is the model's name as the endpoint knows it.
	VarName = "MODEL_NAME"
	// VarKey is the secret with the endpoint's key.
	VarKey = "MODEL_API_KEY"
	// VarMaxTokens bounds one answer, in tokens.
	VarMaxTokens = "MODEL_MAX_TOKENS"
	// VarThinking is how a model of Anthropic's thinks: "off", which is also the default,
	// "adaptive", or a number of tokens.
	VarThinking = "MODEL_THINKING"
	// VarOutput is how a model is held to a schema: "native", which is also the default,
	// by the provider, or "prompt", by its instructions alone.
	VarOutput = "MODEL_OUTPUT"
)

// Open returns the model that a deployment's variables ask for. secrets are the
// names of the secrets that it has. An error is an [*Error] of the kind
// [Misconfigured] that says what to set.
func Open(vars map[string]string, secrets []string) (Model, error) {
	s := settings{vars: vars, secrets: secrets}
	switch provider := s.value(VarProvider); provider {
	case "", "demo":
		return Demo{}, nil
	case "openai":
		return s.openai()
	case "anthropic":
		return s.anthropic()
	case "workers-ai":
		return s.workersAI()
	default:
		return nil, misconfigured(VarProvider + ` is "` + cut(provider, 60) + `"; set it to "demo", "openai", "anthropic" or "workers-ai"`)
	}
}

func misconfigured(message string) *Error { return &Error{Kind: Misconfigured, Message: message} }
