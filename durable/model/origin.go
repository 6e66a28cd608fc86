package model

// origin is where an answer comes from, for errors that say what to look at.
type origin struct {
	// secret names the secret that was sent as the key, or is "".
	secret string
	// binding names the binding that was asked instead of an endpoint, or is "".
	binding string
}

func (o origin) keyHint() string {
	switch {
	case o.binding != "":
		return "the binding " + o.binding + " is not let in: see whether the account of the deployment may use the model in " + VarName
	case o.secret == "":
		return "the model's endpoint asks for a key: set the secret " + VarKey
	}
	return "the model's endpoint does not accept the key: see the secret " + o.secret + ", and whether " + VarBaseURL + " is where it belongs"
}

func (o origin) forbiddenHint() string {
	if o.binding != "" {
		return o.keyHint()
	}
	return "the model's endpoint forbids this: see whether " + VarKey + " may use the model in " + VarName
}

func (o origin) unknownHint() string {
	if o.binding != "" {
		return "the binding " + o.binding + " knows no such model: see " + VarName
	}
	return "the model's endpoint knows no such model or address: see " + VarName + " and " + VarBaseURL
}

func (o origin) bindingHint() string {
	return `the Worker has no binding ` + o.binding + ` for its model; add "ai": { "binding": "` + o.binding + `" } to wrangler.jsonc`
}
