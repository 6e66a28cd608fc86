package anthropic

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
)

// TestFailuresAndFraming checks that a failure is told in the provider's words whatever its shape is, that
// an answer is read however it is framed, and that fields of another type do not end it.
func TestFailuresAndFraming(t *testing.T) {
	const stream, json = "text/event-stream", "application/json"
	event := func(data string) string { return "data: " + data + "\n\n" }
	begin := event(`{"type":"message_start","message":{"id":"m1"}}`) + event(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	say := func(text string) string {
		return event(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`)
	}
	end := event(`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`) + event(`{"type":"message_stop"}`)
	whole := begin + say("Whole.") + end
	for name, test := range map[string]struct {
		status            int
		media, body, want string
	}{
		"an error of another type":     {200, stream, begin + say("Half") + event(`{"error":{"message":"Crashed.","type":"api_error"}}`), `text "Half"` + "\nerror unavailable: the model broke its answer off: Crashed."},
		"flat":                         {200, stream, begin + event(`{"code":400,"message":"Too long.","object":"error"}`), "error rejected: the model refused the request (status 400): Too long."},
		"by the event's name":          {200, stream, begin + "event: error\n" + event(`{"message":"Crashed."}`), "error unavailable: the model broke its answer off: Crashed."},
		"words in an event":            {200, stream, begin + say("Half") + event("upstream connect error"), `text "Half"` + "\nerror unavailable: the model broke its answer off: upstream connect error"},
		"pings as data":                {200, stream, event("ping") + begin + "event: ping\n" + event("ping") + say("Whole.") + event("keep-alive") + end, `text "Whole."` + "\nfinished"},
		"no event":                     {200, stream, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "error unavailable: the model broke its answer off: Overloaded"},
		"no event, behind half":        {200, stream, begin + say("Half") + `{"error":{"code":502,"message":"Bad gateway."}}`, `text "Half"` + "\nerror unavailable: the model cannot answer now (status 502): Bad gateway."},
		"a stop reason":                {200, stream, begin + say("Half") + strings.Replace(end, "end_turn", "error", 1), `text "Half"` + "\nerror unavailable: the model broke its answer off"},
		"no content":                   {200, json, `{"code":1234,"msg":"Network error, please contact customer service.","success":false}`, "error unavailable: the model broke its answer off: Network error, please contact customer service."},
		"a list, another status":       {400, json, `[{"error":{"code":400,"message":"No."}}]`, "error rejected status=400: the model refused the request (status 400): No."},
		"an event left open":           {200, stream, begin + say("Half") + `data: {"type":"content_block_delta","ind` + "\n" + event(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), `text "Half"` + "\nerror unavailable: the model broke its answer off: Overloaded"},
		"events under JSON":            {200, json, whole, `text "Whole."` + "\nfinished"},
		"no empty lines":               {200, stream, strings.ReplaceAll(whole, "\n\n", "\n"), `text "Whole."` + "\nfinished"},
		"lines of JSON":                {200, stream, strings.ReplaceAll(strings.ReplaceAll(whole, "\n\n", "\n"), "data: ", ""), `text "Whole."` + "\nfinished"},
		"a message under events":       {200, stream, `{"type":"message","id":"m1","content":[{"type":"text","text":"Whole."}],"stop_reason":"end_turn"}`, `text "Whole."` + "\nfinished"},
		"no list around the content":   {200, json, `{"type":"message","id":"m1","content":{"type":"text","text":"Whole."},"stop_reason":"end_turn"}`, `text "Whole."` + "\nfinished"},
		"numbers that are texts":       {200, stream, strings.ReplaceAll(begin, `"index":0`, `"index":"0"`) + say("Whole.") + strings.Replace(end, `"delta"`, `"usage":{"input_tokens":"12","output_tokens":"3"},"delta"`, 1), `text "Whole."` + "\nfinished stop 12+3"},
		"an id that is a number":       {200, stream, strings.Replace(whole, `"m1"`, `7`, 1), `text "Whole."` + "\nfinished"},
		"usage that is a list":         {200, stream, strings.Replace(whole, `"id":"m1"`, `"id":"m1","usage":[]`, 1), `text "Whole."` + "\nfinished"},
		"a reason in capitals":         {200, stream, begin + say("Wh") + strings.Replace(end, "end_turn", "MAX_TOKENS", 1), `text "Wh"` + "\nfinished length 0+0"},
		"a later reason that is null":  {200, stream, begin + say("Whole.") + strings.Replace(end, "data: {\"type\":\"message_stop", `data: {"type":"message_delta","delta":{"stop_reason":null}}`+"\n\n"+"data: {\"type\":\"message_stop", 1), `text "Whole."` + "\nfinished"},
		"halves of a character":        {200, stream, begin + say(`nice \ud83d`) + say(`\ude00 day`) + end, `text "nice "` + "\n" + `text "😀 day"` + "\nfinished"},
		"a message whose start is odd": {200, stream, event(`{"type":"message_start","message":{"id":null,"content":null,"usage":null}}`) + say("Whole.") + end, `text "Whole."` + "\nfinished"},
	} {
		t.Run(name, func(t *testing.T) {
			got := modeltest.PlayAnswer(t, models["anthropic"], test.status, test.media, test.body)
			got = strings.NewReplacer(" status=0", "", " retry=0 ms", "", "finished stop 0+0", "finished").Replace(strings.TrimSuffix(got, "\n"))
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}
