package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Hit is a page that a search has found.
type Hit struct {
	URL     string `json:"url"`
	Title   string `json:"title"`
	Snippet string `json:"snippet,omitempty"`
}

// maxHits is how many pages a search finds at most.
const maxHits = 8

// The variables and the secret of [Search].
const (
	VarAPI    = "RESEARCH_SEARCH"
	VarURL    = "RESEARCH_SEARCH_URL"
	SecretKey = "RESEARCH_SEARCH_KEY"
)

// Search finds pages with a search API: the variable RESEARCH_SEARCH names it, and
// RESEARCH_SEARCH_URL is where it is, if not at its usual place. Brave Search asks for the secret
// RESEARCH_SEARCH_KEY.
func Search(c flow.Awaiter, api, address, query string) ([]Hit, error) {
	switch api {
	case "brave":
		return brave(c, cmp.Or(address, "https://api.search.brave.com/res/v1"), query)
	case "searxng":
		if address == "" {
			return nil, fmt.Errorf("searxng has no usual place: set %s to the address of yours", VarURL)
		}
		return searxng(c, address, query)
	case "":
		return nil, fmt.Errorf("no search is configured here: %s can be brave or searxng. Pages whose address is known can be read all the same", VarAPI)
	}
	return nil, fmt.Errorf("%s is %.40q: it can be brave or searxng", VarAPI, api)
}

// brave asks the API of Brave Search.
func brave(c flow.Awaiter, address, query string) ([]Hit, error) {
	var answer struct {
		Web struct {
			Results []struct{ Title, URL, Description string }
		}
	}
	words := url.Values{"q": {query}, "count": {fmt.Sprint(maxHits)}, "text_decorations": {"false"}}
	if err := ask(c, address+"/web/search?"+words.Encode(), &answer, durable.Header{Name: "X-Subscription-Token", Secret: SecretKey}); err != nil {
		return nil, err
	}
	var found []Hit
	for _, r := range answer.Web.Results {
		found = append(found, Hit{r.URL, r.Title, r.Description})
	}
	return readable(found)
}

// searxng asks an instance of SearXNG, whose settings have to allow the format json.
func searxng(c flow.Awaiter, address, query string) ([]Hit, error) {
	var answer struct {
		Results []struct{ Title, URL, Content string }
	}
	words := url.Values{"q": {query}, "format": {"json"}}
	if err := ask(c, strings.TrimSuffix(address, "/")+"/search?"+words.Encode(), &answer); err != nil {
		return nil, err
	}
	var found []Hit
	for _, r := range answer.Results {
		found = append(found, Hit{r.URL, r.Title, r.Content})
	}
	return readable(found)
}

// ask makes a request of a search API and decodes the answer.
func ask(c flow.Awaiter, address string, answer any, header ...durable.Header) error {
	response, err := get(c, address, append([]durable.Header{{Name: "Accept", Value: "application/json"}}, header...)...)
	if err == nil {
		err = refusal(response)
	}
	if err != nil {
		return fmt.Errorf("the search failed: %w", err)
	}
	if err := json.Unmarshal(response.Body, answer); err != nil {
		return fmt.Errorf("the search answered something that is not its JSON: %w", err)
	}
	return nil
}

// readable returns the first of the found pages that can be read.
func readable(found []Hit) ([]Hit, error) {
	var hits []Hit
	for _, h := range found {
		if _, err := ParseAddress(h.URL); err == nil && len(hits) < maxHits {
			hits = append(hits, h)
		}
	}
	if len(hits) == 0 {
		return nil, errors.New("nothing was found")
	}
	return hits, nil
}
