// Command token mints a token for the front door, signed with the secret in TRIBUTARY_TOKEN_SECRET.
//
//	go run ./worker/cmd/token -agent assistant -name alice -ttl 24h
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
	flag.StringVar(&claims.Agent, "agent", worker.Any, "the agent's path segment, or * for all")
	flag.StringVar(&claims.Name, "name", worker.Any, "the object's name as it stands in the path, or * for all")
	flag.StringVar(&claims.Subject, "sub", "developer", "who the token is for")
	ttl := flag.Duration("ttl", time.Hour, "how long it is valid")
	flag.Parse()

	claims.ExpiresAt = jwt.NewNumericDate(time.Now().Add(*ttl))
	token, err := worker.Mint(worker.Secret(os.Getenv(worker.SecretVar)), claims)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token)
}
