package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

const (
	// agentName tells the owner of a server who reads it, and where to complain.
	agentName = "tributary-research/1.0 (+https://github.com/tributary-agents/tributary)"
	// patience is how long one request may take.
	patience = 20 * time.Second
	// maxRetryAfter is how long a server may have us wait.
	maxRetryAfter = 30 * time.Second
	// maxBytes is how large a response may be.
	maxBytes = 768 << 10
)

// pauses are the times between attempts.
var pauses = []time.Duration{time.Second, 5 * time.Second}

// get makes a request, and makes it again after a failure that may pass. Each request and each pause
// is journaled: after the loss of the instance, only the request that was under way is repeated.
func get(c flow.Awaiter, address string, header ...durable.Header) (flow.Response, error) {
	request := flow.Request{
		URL: address, Limit: maxBytes,
		Header: append([]durable.Header{{Name: "User-Agent", Value: agentName}}, header...),
	}
	for _, pause := range pauses {
		response, err := attempt(c, request)
		if !passing(response, err) {
			return response, err
		}
		if err := flow.Sleep(c, max(pause, retryAfter(response))); err != nil {
			return flow.Response{}, err
		}
	}
	return attempt(c, request)
}

func attempt(c flow.Awaiter, request flow.Request) (flow.Response, error) {
	return flow.Within(c, patience, func() (flow.Response, error) { return flow.Fetch(c, request) })
}

// passing says whether another attempt may succeed. A response that has begun and is too large, or
// was broken off, would be so again.
func passing(response flow.Response, err error) bool {
	if failed := (*flow.FetchError)(nil); errors.As(err, &failed) {
		return failed.Status == 0 && !errors.Is(err, flow.ErrCancelled)
	}
	return err == nil && slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, response.Status)
}

// retryAfter is how long a server wants us to wait.
func retryAfter(response flow.Response) time.Duration {
	seconds, err := strconv.Atoi(response.Header["retry-after"])
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, maxRetryAfter)
}

// refusal is the error of a response that is no success.
func refusal(response flow.Response) error {
	if response.Status == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the server answered %d %s", response.Status, http.StatusText(response.Status))
}
