// Command token mints a token for the front door, signed with the secret in TRIBUTARY_TOKEN_SECRET.
//
//	go run ./worker/cmd/token -agent assistant -name alice -ttl 24h
//
// A token for all agents or all names needs -any: it opens what -agent and -name leave out.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tributary-agents/tributary/worker"
)

func main() {
	log.SetFlags(0)
	var claims worker.Claims
	flag.StringVar(&claims.Agent, "agent", "", "the agent's path segment")
	flag.StringVar(&claims.Name, "name", "", "the object's name as it stands in the path")
	anything := flag.Bool("any", false, "open all agents where -agent is left out, and all names where -name is")
	flag.StringVar(&claims.Subject, "sub", "developer", "who the token is for")
	ttl := flag.Duration("ttl", time.Hour, "how long it is valid")
	flag.Parse()

	if !*anything && (claims.Agent == "" || claims.Name == "") {
		log.Fatal("token: it needs -agent and -name, or -any for all of what is left out")
	}
	claims.AnyAgent = claims.Agent == ""
	claims.AnyName = claims.Name == ""
	claims.ExpiresAt = jwt.NewNumericDate(time.Now().Add(*ttl))
	token, err := worker.Mint(worker.Secret(os.Getenv(worker.SecretVar)), claims)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token)
}
