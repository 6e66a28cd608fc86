package transport_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow/transport"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// caller has tools that use net/http.
var caller = agent.Agent{Name: "Caller", Tools: []agent.Tool{
	agent.NewTool("get", "Gets a page.", func(c *agent.Context, in page) (seen, error) {
		return see(transport.Transport{Awaiter: c}.Client().Get(in.URL))
	}),
	agent.NewTool("post", "Posts to a page.", func(c *agent.Context, in page) (seen, error) {
		r, err := http.NewRequest(http.MethodPost, in.URL, strings.NewReader("hello"))
		if err != nil {
			return seen{}, err
		}
		r.Header.Set("authorization", "Bearer whatever")
		r.Header.Add("x-many", "1")
		r.Header.Add("x-many", "2")
		secrets := []durable.Header{{Name: "Authorization", Value: "Bearer ", Secret: "PAGE_KEY"}}
		client := transport.Transport{Awaiter: c, Secrets: secrets}.Client()
		client.Timeout = time.Hour // no event waits for it
		return see(client.Do(r))
	}),
	agent.NewTool("large", "Posts too much.", func(c *agent.Context, in page) (seen, error) {
		body := strings.NewReader(strings.Repeat("x", 1<<20+1))
		return see(transport.Transport{Awaiter: c}.Client().Post(in.URL, "text/plain", body))
	}),
	agent.NewTool("twice", "Posts what may be posted twice.", func(c *agent.Context, in page) (seen, error) {
		return see(transport.Transport{Awaiter: c, Repeatable: true, Limit: 4}.Client().Post(in.URL, "text/plain", strings.NewReader("x")))
	}),
}}

type page struct {
	URL string `json:"url" jsonschema:"where"`
}

type seen struct {
	Status, Media, Body string
}

func see(r *http.Response, err error) (seen, error) {
	if err != nil {
		return seen{}, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return seen{r.Status, r.Header.Get("Content-Type"), string(body)}, err
}

func TestScripts(t *testing.T) {
	durabletest.RunScripts(t, "testdata", caller.Name, func(*testing.T) durabletest.Engine {
		return durabletest.NewNative(1, chat.Class(caller, demo.Provider))
	})
}
