package model

// Origin is where an answer comes from. Errors use it to say what to look at.
type Origin struct {
	// Secret is the name of the secret that was sent as the key, or "".
	Secret string
	// Binding is the name of the binding that was used instead of an endpoint, or "".
	Binding string
}

func (o Origin) keyHint() string {
	switch {
	case o.Binding != "":
		return "the binding " + o.Binding + " is not let in: see whether the account of the deployment may use the model in " + VarName
	case o.Secret == "":
		return "the model's endpoint asks for a key: set the secret " + VarKey
	}
	return "the model's endpoint does not accept the key: see the secret " + o.Secret + ", and whether " + VarBaseURL + " is where it belongs"
}

func (o Origin) forbiddenHint() string {
	if o.Binding != "" {
		return o.keyHint()
	}
	return "the model's endpoint forbids this: see whether " + VarKey + " may use the model in " + VarName
}

func (o Origin) unknownHint() string {
	if o.Binding != "" {
		return "the binding " + o.Binding + " knows no such model: see " + VarName
	}
	return "the model's endpoint knows no such model or address: see " + VarName + " and " + VarBaseURL
}

func (o Origin) bindingHint() string {
	return `the Worker has no binding ` + o.Binding + ` for its model; add "ai": { "binding": "` + o.Binding + `" } to wrangler.jsonc`
}
