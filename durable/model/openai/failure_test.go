package openai

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
)

const (
	half  = `data: {"choices":[{"delta":{"content":"Half"}}]}` + "\n\n"
	done  = "data: [DONE]\n\n"
	whole = `data: {"choices":[{"delta":{"content":"Whole."},"finish_reason":"stop"}]}` + "\n\n" + done
)

// TestFailures checks that a failure is told in the provider's words, whatever its status, framing, media
// type and shape are, and whether it may pass.
func TestFailures(t *testing.T) {
	const stream, json = "text/event-stream", "application/json"
	event := func(data string) string { return "data: " + data + "\n\n" }
	for name, test := range map[string]struct {
		status      int
		media, body string
		// want is the kind of the error and its text, and what came before it.
		want string
	}{
		"flat, an event":                      {200, stream, event(`{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}`) + done, "error rejected: the model refused the request (status 400): This model's maximum context length is 4096 tokens."},
		"flat, behind half an answer":         {200, stream, half + event(`{"object":"error","message":"Out of memory.","type":"InternalServerError","code":500}`) + done, `text "Half"` + "\nerror unavailable: the model cannot answer now (status 500): Out of memory."},
		"flat, without a number":              {200, stream, event(`{"object":"error","message":"No such model.","type":"NotFoundError"}`), "error rejected: the model refused the request (status 400): No such model."},
		"nested, with the number as a text":   {200, stream, event(`{"error":{"message":"Gone.","code":"504"}}`) + done, "error unavailable: the model cannot answer now (status 504): Gone."},
		"words in an event":                   {200, stream, half + event("upstream connect error or disconnect") + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: upstream connect error or disconnect"},
		"words alone in an event":             {200, stream, event("Internal Server Error"), "error unavailable: the model broke its answer off: Internal Server Error"},
		"pings alone":                         {200, stream, event("ping") + event("ping"), "error cut-off: the model's answer ended before it was finished"},
		"nested twice":                        {200, stream, event(`{"error":{"error":{"message":"Deep.","type":"overloaded_error"}}}`), "error unavailable: the model broke its answer off: Deep."},
		"a text":                              {200, stream, event(`{"error":"overloaded"}`), "error unavailable: the model broke its answer off: overloaded"},
		"true, with a message beside it":      {200, stream, event(`{"error":true,"message":"Too many.","code":"too_many_requests"}`), "error rate-limited: the model is asked too often: Too many."},
		"in a list":                           {200, stream, event(`[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`), "error unavailable: the model cannot answer now (status 503): The model is overloaded."},
		"by the event's name, nested":         {200, stream, "event: error\n" + event(`{"error":{"message":"Crashed."}}`), "error unavailable: the model broke its answer off: Crashed."},
		"by the event's name, flat":           {200, stream, half + "event: error\n" + event(`{"message":"Crashed."}`), `text "Half"` + "\nerror unavailable: the model broke its answer off: Crashed."},
		"by the event's name, words":          {200, stream, "event: error\n" + event(`Model unloaded.`) + done, "error unavailable: the model broke its answer off: Model unloaded."},
		"by the event's name, one word":       {200, stream, half + "event: error\n" + event(`overloaded`) + whole, `text "Half"` + "\nerror unavailable: the model broke its answer off: overloaded"},
		"words that nothing follows":          {200, stream, half + event(`{"message":"The upstream is gone."}`) + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: The upstream is gone."},
		"words that the answer follows":       {200, stream, event(`{"message":"Queued."}`) + whole, `text "Whole."` + "\nfinished"},
		"detail":                              {200, stream, event(`{"detail":"Not found.","status":404}`), "error rejected: the model's endpoint knows no such model or address: see MODEL_NAME and MODEL_BASE_URL: Not found."},
		"at a choice":                         {200, stream, half + event(`{"choices":[{"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"Provider returned error"}}]}`) + done, `text "Half"` + "\nerror unavailable: the model cannot answer now (status 502): Provider returned error"},
		"a finish reason":                     {200, stream, half + event(`{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}`) + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: insufficient_system_resource"},
		"a finish reason of the network":      {200, stream, half + event(`{"choices":[{"delta":{},"finish_reason":"network_error"}]}`) + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: network_error"},
		"a finish reason, abort":              {200, stream, half + event(`{"choices":[{"delta":{},"finish_reason":"abort"}]}`) + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: abort"},
		"a finish reason in capitals":         {200, stream, half + event(`{"choices":[{"delta":{},"finish_reason":"MALFORMED_FUNCTION_CALL"}]}`) + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: MALFORMED_FUNCTION_CALL"},
		"a finish reason, and then the words": {200, stream, half + event(`{"choices":[{"delta":{},"finish_reason":"error"}]}`) + event(`{"error":{"code":429,"message":"Slow down."}}`), `text "Half"` + "\nerror rate-limited: the model is asked too often: Slow down."},
		"a finish reason, whole":              {200, json, `{"choices":[{"message":{"content":"Half"},"finish_reason":"server_error"}]}`, `text "Half"` + "\nerror unavailable: the model broke its answer off: server_error"},
		"no event":                            {200, stream, `{"error":{"code":400,"message":"request (19185 tokens) exceeds the available context size (16384 tokens)"}}`, "error rejected: the model refused the request (status 400): request (19185 tokens) exceeds the available context size (16384 tokens)"},
		"no event, in lines":                  {200, stream, "{\n  \"error\": {\n    \"code\": 500,\n    \"message\": \"Broken.\"\n  }\n}\n", "error unavailable: the model cannot answer now (status 500): Broken."},
		"no event, behind half an answer":     {200, stream, half + `{"error":{"code":502,"message":"Bad gateway."}}`, `text "Half"` + "\nerror unavailable: the model cannot answer now (status 502): Bad gateway."},
		"no event, in lines, behind half":     {200, stream, half + "{\n\"error\": {\n\"message\": \"Broken.\"}\n}\n" + done, `text "Half"` + "\nerror unavailable: the model broke its answer off: Broken."},
		"plain text in place of events":       {200, stream, "upstream connect error", "error unavailable: the model broke its answer off: upstream connect error"},
		"plain text under JSON":               {200, json, "Internal error.", "error unavailable: the model broke its answer off: Internal error."},
		"no choices":                          {200, json, `{"code":50505,"message":"Model service overloaded. Please try again later.","data":null}`, "error unavailable: the model broke its answer off: Model service overloaded. Please try again later."},
		"no choices, a limit":                 {200, json, `{"code":"rate_limit_daily","message":"Come back tomorrow."}`, "error rate-limited: the model is asked too often: Come back tomorrow."},
		"no choices, no money":                {200, json, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"},"choices":null}`, "error unavailable: the model broke its answer off: insufficient balance"},
		"no choices, a quota":                 {200, json, `{"error":{"type":"insufficient_quota","message":"Pay."}}`, "error rejected: the model's account has used up its quota: Pay."},
		"no choices, other names":             {200, json, `{"error_code":336003,"error_msg":"The messages are wrong."}`, "error unavailable: the model broke its answer off: The messages are wrong."},
		"no choices, words alone":             {200, json, `{"msg":"Nothing here."}`, "error unavailable: the model broke its answer off: Nothing here."},
		"no choices, a class of AWS":          {200, json, `{"__type":"ThrottlingException","message":"Too fast."}`, "error rate-limited: the model is asked too often: Too fast."},
		"a list, whole":                       {200, json, `[{"error":{"code":400,"message":"Function call is missing a thought_signature"}}]`, "error rejected: the model refused the request (status 400): Function call is missing a thought_signature"},
		"a list, another status":              {400, json, `[{"error":{"code":400,"message":"Function call is missing a thought_signature","status":"INVALID_ARGUMENT"}}]`, "error rejected status=400: the model refused the request (status 400): Function call is missing a thought_signature"},
		"a key that is refused":               {401, "application/json", `{"error":{"message":"Incorrect API key provided: ab******yz. See your page."}}`, "error rejected status=401: the model's endpoint does not accept the key: see the secret MODEL_API_KEY, and whether MODEL_BASE_URL is where it belongs: Incorrect API key provided: [key]. See your page."},
		"events, another status":              {500, stream, "event: error\n" + event(`{"error":{"message":"Crashed."}}`), "error unavailable status=500: the model cannot answer now (status 500): Crashed."},
		"a flat one, another status":          {422, json, `{"object":"error","message":"Extra inputs are not permitted","type":"invalid_request_error"}`, "error rejected status=422: the model refused the request (status 422): Extra inputs are not permitted"},
		"a problem, another status":           {503, "application/problem+json", `{"type":"about:blank","title":"Busy","status":503,"detail":"Try again."}`, "error unavailable status=503: the model cannot answer now (status 503): Try again."},
		"other names, another status":         {400, json, `{"error_code":1,"error_msg":"The messages are wrong."}`, "error rejected status=400: the model refused the request (status 400): The messages are wrong."},
		"an empty error with every event":     {200, stream, strings.Replace(whole, `{"choices"`, `{"error":{"message":"","type":"","param":"","code":null},"choices"`, 1), `text "Whole."` + "\nfinished"},
		"a page":                              {200, stream, "<html><body>502</body></html>", "error garbled: the model's endpoint answered with a web page: see MODEL_BASE_URL"},
		"an event left open by another one":   {200, stream, half + `data: {"choices":[{"delta":{"content":" sec` + "\n" + event(`{"error":{"message":"upstream read error","code":502}}`), `text "Half"` + "\nerror unavailable: the model cannot answer now (status 502): upstream read error"},
		"an event left open":                  {200, stream, half + `data: {"choices":[{"delta":{"content":" sec` + "\n" + event(`{"choices":[{"delta":{"content":"ond"}}]}`), `text "Half"` + "\n" + `text "ond"` + "\n" + `error cut-off: the model's answer broke off: {"choices":[{"delta":{"content":" sec {"choices":[{"delta":{"content":"ond"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := modeltest.PlayAnswer(t, endpoint, test.status, test.media, test.body)
			got = strings.NewReplacer(" status=0", "", " retry=0 ms", "", "finished stop 0+0", "finished").Replace(strings.TrimSuffix(got, "\n"))
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// TestFraming checks that an answer is read however it is framed, whatever its media type says, and that
// fields of another type do not end it.
func TestFraming(t *testing.T) {
	const stream, json = "text/event-stream", "application/json"
	const completion = `{"choices":[{"message":{"content":"Whole."},"finish_reason":"stop"}]}`
	a, b := `{"choices":[{"delta":{"content":"Wh"}}]}`, `{"choices":[{"delta":{"content":"ole."},"finish_reason":"stop"}]}`
	with := func(fields string) string { return `data: {"choices":[{` + fields + `}]}` + "\n\n" + done }
	stops := `,"finish_reason":"stop"`
	for name, test := range map[string]struct{ media, body, want string }{
		"events under JSON":                         {json, "data: " + a + "\n\ndata: " + b + "\n\n" + done, "Whole. stop"},
		"events under plain text":                   {"text/plain", "data: " + a + "\n\ndata: " + b + "\n\n", "Whole. stop"},
		"events without a media type":               {"", "\n\ndata: " + a + "\n\ndata: " + b + "\n\n", "Whole. stop"},
		"a comment first, under JSON":               {json, ": hi\n\ndata: " + a + "\n\ndata: " + b + "\n\n", "Whole. stop"},
		"a completion under events":                 {stream, completion, "Whole. stop"},
		"a completion behind a byte order mark":     {stream, "\ufeff\r\n" + completion, "Whole. stop"},
		"a completion under plain text":             {"text/plain", completion, "Whole. stop"},
		"a completion as an event":                  {stream, "data: " + completion + "\n\n", "Whole. stop"},
		"lines of JSON":                             {"application/x-ndjson", a + "\n" + b + "\n", "Whole. stop"},
		"lines of JSON, and the end":                {stream, a + "\n" + b + "\n[DONE]\n", "Whole. stop"},
		"a list of chunks":                          {json, "[" + a + ",\n" + b + "]", "Whole. stop"},
		"no empty lines":                            {stream, "data: " + a + "\ndata: " + b + "\ndata: [DONE]\n", "Whole. stop"},
		"no empty lines, ids":                       {stream, "data: " + a + "\nid: 0\ndata: " + b + "\nid: 1\n", "Whole. stop"},
		"an event in lines":                         {stream, "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"Whole.\"}" + stops + "}]}\n\n", "Whole. stop"},
		"keep-alives between":                       {stream, "data: " + a + "\n\n: PROCESSING\n\nevent: ping\ndata:\n\ndata: " + b + "\n\n", "Whole. stop"},
		"pings as data":                             {stream, "data: ping\n\ndata: " + a + "\n\nevent: keep-alive\ndata: keep-alive\n\ndata: HEARTBEAT:\n\ndata: " + b + "\n\n" + done, "Whole. stop"},
		"words between, that are no failure":        {stream, "data: " + a + "\n\ndata: still working on it\n\ndata: " + b + "\n\n" + done, "Whole. stop"},
		"usage of texts":                            {stream, with(`"delta":{"content":"Whole."}` + stops)[:0] + "data: " + a + "\n\ndata: " + b + "\n\n" + `data: {"choices":[],"usage":{"prompt_tokens":"12","completion_tokens":"3"}}` + "\n\n" + done, "Whole. stop 12+3"},
		"usage of a list":                           {stream, "data: " + a + "\n\ndata: " + b + "\n\n" + `data: {"choices":[],"usage":[]}` + "\n\n" + done, "Whole. stop"},
		"usage of null and words":                   {stream, "data: " + a + "\n\ndata: " + b + "\n\n" + `data: {"choices":null,"usage":{"prompt_tokens":null,"completion_tokens":"many"}}` + "\n\n" + done, "Whole. stop"},
		"a content that is a part":                  {stream, with(`"delta":{"content":{"type":"text","text":"Whole."}}` + stops), "Whole. stop"},
		"a content of texts and parts":              {stream, with(`"delta":{"content":["Wh",{"type":"text","text":"ole."},null,7]}` + stops), "Whole. stop"},
		"a content that is a number":                {stream, with(`"delta":{"content":7}` + stops), "7 stop"},
		"an index that is a text":                   {stream, with(`"index":"0","delta":{"content":"Whole."}` + stops), "Whole. stop"},
		"an id that is a number":                    {stream, `data: {"id":7,"object":5,"created":"now","model":null,` + b[1:] + "\n\n", "ole. stop"},
		"a refusal that is a flag":                  {stream, with(`"delta":{"content":"Whole.","refusal":false,"role":null,"tool_calls":null}` + stops), "Whole. stop"},
		"no list around the choice":                 {stream, `data: {"choices":{"delta":{"content":"Whole."}` + stops + `}}` + "\n\n", "Whole. stop"},
		"choices that are none":                     {stream, `data: {"choices":[null,7]}` + "\n\ndata: " + a + "\n\ndata: " + b + "\n\n", "Whole. stop"},
		"thoughts that are a list":                  {stream, with(`"delta":{"reasoning_content":[],"reasoning":{"a":1},"content":"Whole."}` + stops), "Whole. stop"},
		"details that are a text":                   {stream, with(`"delta":{"reasoning_details":"x","content":"Whole."}` + stops), "Whole. stop"},
		"an error that is a flag":                   {stream, `data: {"error":false,` + b[1:] + "\n\n", "ole. stop"},
		"halves of a character":                     {stream, `data: {"choices":[{"delta":{"content":"nice \ud83d"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"\ude00 day"}` + stops + `}]}` + "\n\n", "nice 😀 day stop"},
		"halves in capitals, an event between":      {stream, `data: {"choices":[{"delta":{"content":"\uD83D"}}]}` + "\n\n" + `data: {"choices":[],"usage":null}` + "\n\n" + `data: {"choices":[{"delta":{"content":"\uDE00\uD83D"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"\uDE01"}` + stops + `}]}` + "\n\n", "😀😁 stop"},
		"a half that stays alone":                   {stream, `data: {"choices":[{"delta":{"content":"a\ud83d"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"b"}` + stops + `}]}` + "\n\n", "ab stop"},
		"what looks like a half":                    {stream, `data: {"choices":[{"delta":{"content":"\\ud83d"}` + stops + `}]}` + "\n\n", `\ud83d stop`},
		"a limit in capitals":                       {stream, with(`"delta":{"content":"Wh"},"finish_reason":"MAX_TOKENS"`), "Wh length"},
		"a limit of another name":                   {stream, with(`"delta":{"content":"Wh"},"finish_reason":"model_length"`), "Wh length"},
		"a class of reasons":                        {stream, with(`"delta":{"content":"Wh"},"finish_reason":"FinishReason.MAX_TOKENS"`), "Wh length"},
		"a filter in capitals":                      {stream, with(`"delta":{"content":"Wh"},"finish_reason":"SAFETY"`), "Wh content-filter"},
		"stop in capitals":                          {stream, with(`"delta":{"content":"Wh"},"finish_reason":"STOP"`), "Wh stop"},
		"another reason":                            {stream, with(`"delta":{"content":"Wh"},"finish_reason":"pause_turn"`), "Wh other"},
		"thoughts as blocks":                        {stream, `data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]}}]}` + "\n\n" + with(`"delta":{"content":[{"type":"text","text":"Whole."}]}`+stops), "(Hm.)Whole. stop"},
		"thoughts as blocks of text":                {stream, with(`"delta":{"content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Whole."}]}` + stops), "(Hm.)Whole. stop"},
		"thoughts as details":                       {stream, with(`"delta":{"reasoning_details":[{"type":"reasoning.summary","summary":"Hm."}],"content":"Whole."}` + stops), "(Hm.)Whole. stop"},
		"thoughts under one more name":              {stream, with(`"delta":{"reasoning_text":"Hm.","content":"Whole."}` + stops), "(Hm.)Whole. stop"},
		"an event with a name":                      {stream, "event: message\ndata: " + a + "\n\nevent: message\ndata: " + b + "\n\n", "Whole. stop"},
		"a call with fields of other types":         {stream, with(`"delta":{"tool_calls":[{"index":"0","id":7,"type":null,"function":{"name":"now","arguments":{"a":1}}}]},"finish_reason":"tool_calls"`), "now 7 {\"a\":1} tool-calls"},
		"a call whose input is a list":              {stream, with(`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"now","arguments":[]}}]},"finish_reason":"tool_calls"`), "now c [] (the input is not a JSON object. The input was: []) tool-calls"},
		"no list around the call":                   {stream, with(`"delta":{"tool_calls":{"index":0.0,"id":"c","function":{"name":"now","arguments":null}}},"finish_reason":"tool_calls"`), "now c {} tool-calls"},
		"calls that are none":                       {stream, with(`"delta":{"content":"Whole.","tool_calls":[null,{"function":"x"},"y"]}` + stops), "Whole. stop"},
		"halves of a character in an encoded input": {stream, `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"now","arguments":"{\"a\":\"\ud83d"}}]}}]}` + "\n\n" + with(`"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\ude00\"}"}}]},"finish_reason":"tool_calls"`), `now c {"a":"😀"} tool-calls`},
	} {
		t.Run(name, func(t *testing.T) {
			shown := modeltest.PlayAnswer(t, endpoint, 200, test.media, test.body)
			if got := short(shown); got != test.want {
				t.Errorf("got %s, want %s:\n%s", got, test.want, shown)
			}
		})
	}
}

// short writes what an answer has said on one line: thoughts in brackets, text, calls, and its end.
func short(shown string) string {
	var b strings.Builder
	for line := range strings.Lines(shown) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch kind {
		case "text", "reasoning":
			text, _ := strconv.Unquote(rest)
			if kind == "reasoning" {
				text = "(" + text + ")"
			}
			b.WriteString(text)
		case "call":
			f := strings.SplitN(rest, " ", 3)
			b.WriteString(f[1] + " " + f[0] + " " + f[2])
		case "call-invalid":
			f := strings.SplitN(rest, " ", 3)
			text, why, _ := strings.Cut(f[2], ": ")
			text, _ = strconv.Unquote(text)
			b.WriteString(f[1] + " " + f[0] + " " + text + " (" + why + ")")
		case "finished":
			b.WriteString(" " + strings.TrimSuffix(rest, " 0+0"))
		case "error":
			b.WriteString(" error " + rest)
		}
	}
	return b.String()
}
