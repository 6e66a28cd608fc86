package mcpclient

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// This file is the rule about what a deployment has for signing in to servers: a client's id and the name of its secret. It
// is for declared servers alone, because clients choose the names and the addresses of all others. The secret goes to the
// one authorization server that the author or the deployment names, because a server can name any.

// The variables that say who the agent is. Between VarClient and what follows stands the name of a declared server, see
// [variable]. The document is one that stands elsewhere.
const (
	VarDocument = "MCP_CLIENT_METADATA_URL"
	VarClient   = "MCP_CLIENT_"
	varSecret   = "_SECRET"
	VarIssuer   = "_ISSUER"
)

// Unnamed returns the name of a secret of a deployment with which a declared server could sign in, and the variable that
// would say to which authorization server, if nothing says that. Otherwise both are "". variables returns a variable of the
// deployment, or "", and hasSecret says whether it has a secret of a name.
func (d Declared) Unnamed(variables func(name string) string, hasSecret func(name string) bool) (secret, issuer string) {
	c, name := d.Deployed(variables, hasSecret), VarClient+variable(d.Name)
	if secret = c.SecretName; secret == "" && d.Client.ID == "" && hasSecret(name+varSecret) {
		secret = name + varSecret // its id may be set later
	}
	if secret == "" || cmp.Or(c.Issuer, variables(name+VarIssuer)) != "" {
		return "", ""
	}
	return secret, name + VarIssuer
}

// Deployed returns the client of a declared server that its author or the deployment has registered by hand.
func (d Declared) Deployed(variables func(name string) string, hasSecret func(name string) bool) Client {
	c, name := d.Client, VarClient+variable(d.Name)
	if c.ID == "" && name != VarDocument {
		if c = (Client{ID: variables(name), Issuer: c.Issuer}); hasSecret(name + varSecret) {
			c.SecretName = name + varSecret
		}
	}
	if c.ID == "" {
		return Client{}
	}
	c.Issuer = cmp.Or(c.Issuer, variables(name+VarIssuer))
	return c
}

// Clash says whether the names of two servers cannot stand side by side: a variable for one of them would be one for the
// other too, or they differ in case alone.
func Clash(a, b string) bool {
	x, y := variable(a), variable(b)
	for _, end := range []string{"", varSecret, VarIssuer} {
		if x+end == y || y+end == x {
			return true
		}
	}
	return strings.EqualFold(a, b)
}

// variable returns the name of a server as it stands in a variable's: in capitals, with _ for what is neither a letter of
// ASCII nor a digit.
func variable(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(name))
}

// apart returns the name of a server that was added as it is shown beside the declared ones. A deployment may declare a
// server of a name that a client has used before.
func (r *Servers) apart(name string) string {
	const room = MaxName - len(" 99")
	free := name
	for n := 2; r.declares(free) && n < 100; n++ {
		free = limitText(name, room) + " " + strconv.Itoa(n)
	}
	return free
}

// declares says whether an author declares a server whose name cannot stand beside another one.
func (r *Servers) declares(name string) bool {
	return slices.ContainsFunc(r.config.Declared, func(d Declared) bool { return Clash(d.Name, name) })
}
