package agent_test

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// Work for later is a schedule. It calls a callback by its name, even if everything in memory was
// lost in the meantime. Here a tool makes a schedule, and its callback has the model react in the
// chat. A page manages schedules by methods.
func ExampleNewCallback() {
	type reminder struct {
		Text string `json:"query"`
	}
	remind := func(c *agent.Context, in reminder) (string, error) {
		s, err := c.Schedule(schedule.After(time.Hour), "remind", in, schedule.ID("tea"), schedule.MaxAttempts(3))
		return string(s.Status), err
	}
	var reminded string
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewTool("research", "Reminds the person of something.", remind)},
		Callbacks: map[string]agent.Callback{
			"remind": agent.NewCallback(func(c *agent.Conversation, in reminder, s agent.Scheduled) error {
				reminded = fmt.Sprintf("%s, after %s", in.Text, time.Duration(s.Planned-start)*time.Millisecond)
				return c.Notify("It is time: " + in.Text)
			}),
			"report": func(c *agent.Conversation, _ agent.Scheduled) error {
				_, err := agent.StartDetached(c, researcher, "notify", question{"the news"})
				return err
			},
		},
		Handlers: map[string]agent.RunHook{"notify": agent.Notify},
		Methods: map[string]agent.Method{
			"schedules": agent.ListSchedules, "cancelSchedule": agent.CancelSchedule, "retrySchedule": agent.RetrySchedule,
			"reportDaily": func(call *agent.Call) (any, error) {
				return call.Schedule(schedule.Cron("30 7 * * 1-5", "Europe/Zurich"), "report", nil, schedule.ID("report"))
			},
		},
	}
	var status string
	ask("Research tea", &status, assistant, researcher)
	fmt.Println(status)
	fmt.Println(reminded)
	// Output:
	// waiting
	// tea, after 1h0m0s
}
