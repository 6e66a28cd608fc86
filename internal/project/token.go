package project

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tributary-agents/tributary/worker"
)

// token mints a token for the front door, signed with the secret in TRIBUTARY_TOKEN_SECRET. A token
// for all agents or all names needs -any: it opens what -agent and -name leave out.
func token(out io.Writer, args []string) error {
	var claims worker.Claims
	flags := flag.NewFlagSet("token", flag.ContinueOnError)
	flags.StringVar(&claims.Agent, "agent", "", "the agent's path segment")
	flags.StringVar(&claims.Name, "name", "", "the object's name as it stands in the path")
	anything := flags.Bool("any", false, "open all agents where -agent is left out, and all names where -name is")
	flags.StringVar(&claims.Subject, "sub", "developer", "who the token is for")
	scopes := flags.String("scopes", "", "what the token allows beyond speaking with the agent: names with commas between them")
	ttl := flags.Duration("ttl", time.Hour, "how long it is valid")
	if err := parse(flags, args, false); err != nil {
		return err
	}
	if !*anything && (claims.Agent == "" || claims.Name == "") {
		return errors.New("token: it needs -agent and -name, or -any for all of what is left out")
	}
	claims.AnyAgent = claims.Agent == ""
	claims.AnyName = claims.Name == ""
	claims.Scopes = strings.FieldsFunc(*scopes, func(r rune) bool { return r == ',' || r == ' ' })
	claims.ExpiresAt = jwt.NewNumericDate(time.Now().Add(*ttl))
	minted, err := worker.Mint(worker.Secret(os.Getenv(worker.SecretVar)), claims)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, minted)
	return err
}
