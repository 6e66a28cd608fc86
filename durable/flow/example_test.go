package flow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Code is straight-line Go. Its instance may end whenever it waits. The code is then run again from
// its start, and gets the results of its earlier awaits at once.
func Example() {
	remind := func(c *flow.Context) (string, error) {
		number, err := flow.Step(c, "number", func(tx *durable.Tx) (int64, error) {
			return tx.SQL(`INSERT INTO reminder DEFAULT VALUES RETURNING rowid`)[0].Int(0), nil
		})
		if err != nil {
			return "", err
		}
		begun := flow.Now(c)
		if err := flow.Sleep(c, time.Hour); err != nil {
			return "", err
		}
		return fmt.Sprintf("reminder %d, after %s", number, flow.Now(c).Sub(begun)), nil
	}
	show(remind)
	// Output: "reminder 1, after 1h0m0s"
}

// A request is journaled with its response. The error of a request says whether it may have reached
// the server.
func ExampleFetch() {
	show(func(c *flow.Context) (string, error) {
		weather, err := flow.Fetch(c, flow.Request{
			URL:    "https://weather.test/bern",
			Header: []durable.Header{{Name: "Authorization", Value: "Bearer ", Secret: "WEATHER_KEY"}},
		})
		if err != nil {
			return "", err
		}
		_, err = flow.Fetch(c, flow.Request{Method: "POST", URL: "https://down.test/", Body: weather.Body})
		var failed *flow.FetchError
		if errors.As(err, &failed) && failed.Unsent {
			return "nothing has happened", nil
		}
		return fmt.Sprintf("%s; %v", weather.Body, err), nil
	})
	// Output: "from weather.test; POST https://down.test/: no connection; it may or may not have happened"
}

// Branches run side by side. Only one runs at a time, so they can share variables.
func ExampleGo() {
	show(func(c *flow.Context) ([]string, error) {
		wait := func(name string, d time.Duration) *flow.Branch[string] {
			return flow.Go(c, name, func() (string, error) {
				if err := flow.Sleep(c, d); err != nil {
					return "", err
				}
				return name + " at " + flow.Now(c).Format(time.Kitchen), nil
			})
		}
		return flow.All(wait("tea", 3*time.Minute), wait("egg", 5*time.Minute))
	})
	// Output: ["tea at 9:03AM","egg at 9:05AM"]
}

// The first branch to return counts, and the others are cancelled.
func ExampleFirst() {
	show(func(c *flow.Context) (string, error) {
		mirror := func(host string, after time.Duration) *flow.Branch[string] {
			return flow.Go(c, host, func() (string, error) {
				if err := flow.Sleep(c, after); err != nil {
					return "", err
				}
				response, err := flow.Fetch(c, flow.Request{URL: "https://" + host + "/"})
				return string(response.Body), err
			})
		}
		return flow.First(mirror("near.test", 0), mirror("far.test", time.Second))
	})
	// Output: "from near.test"
}

// A time limit cancels everything that was begun under it.
func ExampleWithin() {
	show(func(c *flow.Context) (string, error) {
		_, err := flow.Within(c, 10*time.Minute, func() (int, error) { return 0, flow.Sleep(c, time.Hour) })
		if errors.Is(err, flow.ErrTimeout) {
			return "gave up at " + flow.Now(c).Format(time.Kitchen), nil
		}
		return "slept", err
	})
	// Output: "gave up at 9:10AM"
}

// A step is tried until it succeeds. Its key is the same in every attempt, so that the server does
// the work once.
func ExampleDo() {
	show(func(c *flow.Context) (string, error) {
		return flow.Do(c, "order", func(a *flow.Attempt) (string, error) {
			host := "down.test"
			if a.Number() == 3 {
				host = "shop.test"
			}
			response, err := flow.Fetch(a, flow.Request{
				Method: "POST", URL: "https://" + host + "/", Repeatable: true,
				Header: []durable.Header{{Name: "Idempotency-Key", Value: a.Key()}},
			})
			return fmt.Sprintf("attempt %d: %s", a.Number(), response.Body), err
		})
	})
	// Output: "attempt 3: from shop.test"
}

// An attempt can end its step at once.
func ExamplePermanent() {
	show(func(c *flow.Context) (string, error) {
		return flow.Do(c, "charge", func(*flow.Attempt) (string, error) {
			return "", flow.Permanent(errors.New("the card has expired"))
		})
	})
	// Output: charge: attempt 1 of 5: the card has expired
}

// Code handles branches in the order in which they return.
func ExampleNext() {
	show(func(c *flow.Context) (string, error) {
		wait := func(d time.Duration) *flow.Branch[int] {
			return flow.Go(c, d.String(), func() (int, error) { return 0, flow.Sleep(c, d) })
		}
		branches := []flow.Waitable{wait(3 * time.Minute), wait(time.Minute), wait(2 * time.Minute)}
		order := ""
		for len(branches) > 0 {
			i := flow.Next(branches...)
			order += fmt.Sprint(i, " at ", flow.Now(c).Format(time.Kitchen), "; ")
			branches = append(branches[:i:i], branches[i+1:]...)
		}
		return order, nil
	})
	// Output: "1 at 9:01AM; 1 at 9:02AM; 0 at 9:03AM; "
}

// Randomness is journaled too. A generator that is seeded with it gives the same numbers again.
func ExampleRandom() {
	show(func(c *flow.Context) ([]int, error) {
		dice := rand.New(rand.NewChaCha8([32]byte(flow.Random(c, 32))))
		before := dice.IntN(6) + 1
		if err := flow.Sleep(c, time.Hour); err != nil {
			return nil, err
		}
		return []int{before, dice.IntN(6) + 1}, nil
	})
	// Output: [6,3]
}
