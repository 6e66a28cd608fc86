package browser_test

// cases are cases of the protocol that are easy to get wrong; see scene for their form.
var cases = map[string]string{
	"files_of_a_call": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"start-step"}
		> $r {"type":"tool-input-available","toolCallId":"c1","toolName":"draw","input":{}}
		> $r {"type":"tool-output-available","toolCallId":"c1","output":[]}
		> $r {"type":"file","url":"data:image/png;base64,AAAA","mediaType":"image/png"}
		> $r done
		> other {"type":"start","messageId":"A2"}
		> other {"type":"tool-input-available","toolCallId":"c2","toolName":"draw","input":{}}
		> other {"type":"tool-output-available","toolCallId":"c2","output":[]}
		> other {"type":"file","url":"data:image/gif;base64,AAAA","mediaType":"image/gif"}
		> other done`,
	"probe_without_answer": `
		open
		say hi
		> $r {"type":"start","messageId":"A1"}
		wait 5000
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"late"}
		> $r done`,
	"probe_answered_later": `
		open
		hear {"type":"cf_agent_stream_pending"}
		wait 5000
		hear {"type":"cf_agent_stream_resuming","id":"other","probeId":"$p"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay done`,
	"none_before_the_stream": `
		open
		say hi
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"yes"}
		> $r {"type":"text-end","id":"t"}
		> $r {"type":"finish","messageMetadata":{"n":1}}
		> $r done`,
	"none_for_another_probe": `
		open
		hear {"type":"cf_agent_stream_resume_none","probeId":"another"}
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay done`,
	"own_stream_offered": `
		connected
		say hi
		hear {"type":"cf_agent_stream_resuming","id":"$r"}
		> $r {"type":"start","messageId":"A1"}
		> $r done`,
	"observed_from_the_middle": `
		connected
		> other {"type":"text-delta","id":"t","delta":"half of it"}
		> other done
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"A1","role":"assistant","parts":[{"type":"text","text":"the first half of it"}]}]}`,
	"observed_live_and_again": `
		connected
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay {"type":"text-start","id":"t"}
		> other replay {"type":"text-delta","id":"t","delta":"one "}
		> other replay complete
		> other {"type":"text-delta","id":"t","delta":"two"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay {"type":"text-start","id":"t"}
		> other replay {"type":"text-delta","id":"t","delta":"one two"}
		> other replay complete
		> other done`,
	"resumed_after_a_reload": `
		initial [{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"ha"}]}]
		open
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		hear {"type":"cf_agent_stream_resuming","id":"other","probeId":"$p"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay {"type":"text-start","id":"t"}
		> other replay {"type":"text-delta","id":"t","delta":"half"}
		> other replay complete
		> other {"type":"text-delta","id":"t","delta":" and half"}
		> other {"type":"text-end","id":"t"}
		> other done`,
	"replayed_in_two_parts": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		drop
		wait 3000
		open
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]}],"connect":true}
		hear {"type":"cf_agent_stream_resuming","id":"$r"}
		> $r replay {"type":"start","messageId":"A1"}
		> $r replay {"type":"text-start","id":"t"}
		> $r replay {"type":"text-delta","id":"t","delta":"one "}
		> $r replay complete
		> $r {"type":"text-delta","id":"t","delta":"two "}
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		> $r replay {"type":"text-delta","id":"t","delta":"three "}
		> $r replay complete
		> $r {"type":"text-delta","id":"t","delta":"four"}
		> $r {"type":"text-end","id":"t"}
		> $r done`,
	"resumed_after_a_drop": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"half"}
		drop
		wait 3000
		open
		hear {"type":"cf_agent_stream_resuming","id":"$r"}
		> $r replay {"type":"start","messageId":"A1"}
		> $r replay {"type":"text-start","id":"t"}
		> $r replay {"type":"text-delta","id":"t","delta":"half and half"}
		> $r replay complete
		> $r {"type":"text-end","id":"t"}
		> $r done`,
	"ended_while_away": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		drop
		wait 3000
		open
		hear {"type":"cf_agent_chat_messages","connect":true,"messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"all"}]}]}
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}`,
	"failed_while_away": `
		connected
		say hi
		drop
		wait 3000
		open
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		> $r error it broke`,
	"said_offline": `
		say hi
		open
		hear {"type":"cf_agent_chat_messages","connect":true,"messages":[]}
		hear {"type":"cf_agent_stream_pending"}
		> $r {"type":"start","messageId":"A1"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]}]}
		> $r done`,
	"transcript_after_the_end": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r done
		say more
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[]}]}
		> $r done`,
	"start_without_id": `
		connected
		say hi
		> $r {"type":"start"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"who"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[]}]}
		> $r done`,
	"delta_without_start": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-delta","id":"t","delta":"where"}
		> $r done`,
	"output_without_call": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"tool-output-available","toolCallId":"c9","output":1}
		> $r done`,
	"input_without_start": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"tool-input-delta","toolCallId":"c9","inputTextDelta":"{"}
		> $r done`,
	// AI SDK 7 accepts deltas of a part that was open when a step ended.
	"steps": `
		sdk 6
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"start-step"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"left open"}
		> $r {"type":"finish-step"}
		> $r {"type":"start-step"}
		> $r {"type":"tool-input-start","toolCallId":"c1","toolName":"plan"}
		> $r {"type":"tool-input-available","toolCallId":"c1","toolName":"plan","input":{}}
		> $r {"type":"finish-step"}
		> $r {"type":"start-step"}
		> $r {"type":"tool-output-available","toolCallId":"c1","output":{"ok":true}}
		> $r {"type":"text-delta","id":"t","delta":"no more"}
		> $r done`,
	"two_streams_observed": `
		connected
		> one {"type":"start","messageId":"A1"}
		> one {"type":"text-delta","id":"t","delta":"1"}
		> two {"type":"start","messageId":"A2"}
		> two {"type":"text-delta","id":"t","delta":"2"}
		> one {"type":"text-delta","id":"t","delta":"1"}
		> two done
		> one done`,
	"refused": `
		open
		close 4001
		wait 20000`,
	"slow_to_connect": `
		wait 3999
		wait 1
		wait 3000
		wait 4000
		wait 3900
		open`,
	"error_frame": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r error it broke
		hear {"type":"cf_agent_chat_messages","messages":[]}`,
	"error_of_another": `
		connected
		> other {"type":"start","messageId":"A1"}
		> other error it broke`,
	"words_instead_of_a_chunk": `
		connected
		say hi
		hear {"type":"cf_agent_use_chat_response","id":"$r","body":"No response","done":true}`,
	"cleared_while_streaming": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		clear
		> $r {"type":"text-start","id":"t"}
		> $r done`,
	"cleared_behind_the_end": `
		open
		say hi
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}
		clear
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"late"}
		> $r {"type":"text-end","id":"t"}
		> $r done
		hear {"type":"cf_agent_message_updated","message":{"id":"A1","role":"assistant","parts":[{"type":"text","text":"late","state":"done"}]}}
		hear {"type":"cf_agent_chat_messages","messages":[]}`,
	"cleared_by_another": `
		connected
		> other {"type":"start","messageId":"A1"}
		> other {"type":"text-delta","id":"t","delta":"gone"}
		hear {"type":"cf_agent_chat_clear"}
		> other done`,
	"cleared_after_an_error": `
		connected
		say hi
		> $r error it broke
		clear`,
	"stopped": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		stop
		> $r {"type":"text-delta","id":"t","delta":"unheard"}
		> $r done
		say more
		> $r {"type":"start","messageId":"A2"}
		> $r done`,
	"stopped_by_an_observer": `
		connected
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay complete
		stop
		> other done`,
	// No operation waits for the end then. The tab keeps its version of the answer, whatever
	// transcripts say, until another answer streams into it.
	"stopped_while_it_looks": `
		drop
		wait 3000
		say hi
		wait 2000
		open
		hear {"type":"cf_agent_chat_messages","messages":[],"connect":true}
		stop
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"start-step"}
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"ha"}]}]}
		> $r done
		hear {"type":"cf_agent_message_updated","message":{"id":"A1","role":"assistant","parts":[{"type":"text","text":"ha"}]}}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]}]}
		> other {"type":"start","messageId":"A2"}
		> other {"type":"text-start","id":"t"}
		> other {"type":"text-delta","id":"t","delta":"ho"}
		> other {"type":"text-end","id":"t"}
		> other done
		> $r replay done
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A2","role":"assistant","parts":[{"type":"text","text":"ho"}]}]}`,
	// The tab is ready while it still reads the answer to its first question. It keeps that answer
	// behind the second question, notes that the second answer comes after it, and so puts the second
	// answer before its question.
	"asked_again_after_a_stop_while_it_looks": `
		drop
		wait 3000
		stop
		say hi
		open
		hear {"type":"cf_agent_chat_messages","messages":[],"connect":true}
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"start-step"}
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		say more
		> t-r3 replay {"type":"start","messageId":"A1"}
		> t-r3 replay {"type":"start-step"}
		> t-r3 replay complete
		> t-r3 {"type":"text-start","id":"t"}
		> t-r3 {"type":"text-delta","id":"t","delta":"ha"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]}]}
		> t-r3 {"type":"text-end","id":"t"}
		> t-r3 done
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"ha"}]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]}]}
		> $r {"type":"start","messageId":"A2"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"ho"}
		> $r {"type":"text-end","id":"t"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"ha"}]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]},{"id":"A2","role":"assistant","parts":[{"type":"text","text":"ho"}]}]}
		> $r done`,
	// The tab stops another tab's stream, which it resumes, and with it stops reading the answer to
	// its own question. It goes on protecting that answer, moves it behind the next question, and so
	// puts the next answer before that question.
	"asked_again_after_a_stop_of_two_streams": `
		open
		hear {"type":"cf_agent_chat_messages","messages":[],"connect":true}
		stop
		say hi
		hear {"type":"cf_agent_stream_resuming","id":"other","probeId":"$p"}
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"start-step"}
		stop
		> other error refused
		say more
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]}]}
		> t-r3 {"type":"text-start","id":"t"}
		> t-r3 {"type":"text-delta","id":"t","delta":"ha"}
		> t-r3 {"type":"text-end","id":"t"}
		> t-r3 done
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"ha"}]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]}]}
		> $r {"type":"start","messageId":"A2"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"ho"}
		> $r {"type":"text-end","id":"t"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"t-m2","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"ha"}]},{"id":"$m","role":"user","parts":[{"type":"text","text":"more"}]},{"id":"A2","role":"assistant","parts":[{"type":"text","text":"ho"}]}]}
		> $r done`,
	// The tab knew of no answer when its person asked, without a connection. It then resumes the
	// answer to an earlier question, and puts that answer after its own question.
	"said_offline_while_another_is_answered": `
		connected
		drop
		say hi
		stop
		wait 3000
		open
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"u1","role":"user","parts":[{"type":"text","text":"ask"}]}],"connect":true}
		hear {"type":"cf_agent_stream_resuming","id":"other","probeId":"$p"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay {"type":"start-step"}
		> other replay complete
		> other {"type":"text-start","id":"t"}
		> other {"type":"text-delta","id":"t","delta":"ha"}
		> other {"type":"text-end","id":"t"}
		> $r done
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"u1","role":"user","parts":[{"type":"text","text":"ask"}]},{"id":"A1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"ha"}]},{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]}]}
		> other done`,
	"stopped_before_the_start": `
		open
		say hi
		stop
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"unheard"}
		> $r {"type":"text-end","id":"t"}
		> $r done
		hear {"type":"cf_agent_message_updated","message":{"id":"A1","role":"assistant","parts":[{"type":"text","text":"unheard"}]}}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"unheard"}]}]}`,
	"said_offline_and_taken_back": `
		connected
		drop
		say hi
		wait 3000
		open
		drop
		wait 3900
		open
		hear {"type":"cf_agent_chat_messages","messages":[],"connect":true}
		hear {"type":"cf_agent_identity","name":"room","agent":"assistant"}
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}
		hear {"type":"cf_agent_chat_messages","messages":[]}`,
	"regenerated": `
		initial [{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"ha"}]}]
		connected
		regenerate
		> $r {"type":"start","messageId":"A2"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A2","role":"assistant","parts":[]}]}
		> $r done`,
	"edited": `
		initial [{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"text","text":"ha"}]}]
		connected
		edit U1 hello
		> $r {"type":"start","messageId":"A2"}
		> $r done`,
	"transcripts_cross": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"far"}
		hear {"type":"cf_agent_chat_messages","messages":[{"id":"$m","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[]},{"id":"U2","role":"user","parts":[{"type":"text","text":"queued"}]}]}
		> $r {"type":"text-delta","id":"t","delta":" away"}
		hear {"type":"cf_agent_message_updated","message":{"id":"A1","role":"assistant","parts":[]}}
		> $r {"type":"text-end","id":"t"}
		> $r done`,
	"updated_by_its_call": `
		initial [{"id":"A1","role":"assistant","parts":[{"type":"tool-plan","toolCallId":"c1","state":"input-available","input":{}}]}]
		connected
		hear {"type":"cf_agent_message_updated","message":{"id":"elsewhere","role":"assistant","parts":[{"type":"tool-plan","toolCallId":"c1","state":"output-available","input":{},"output":1}]}}
		hear {"type":"cf_agent_message_updated","message":{"id":"unknown","role":"assistant","parts":[]}}`,
	// AI SDK 6 resumes a message only if a part of it has an incomplete input, and shows the message
	// empty until the first chunk.
	"approved_and_told_from_the_beginning": `
		sdk 7
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"tool-input-start","toolCallId":"c1","toolName":"buy"}
		> $r {"type":"tool-input-available","toolCallId":"c1","toolName":"buy","input":{"n":1}}
		> $r {"type":"tool-approval-request","approvalId":"ap1","toolCallId":"c1"}
		> $r {"type":"finish"}
		> $r done
		answer c1 yes
		hear {"type":"cf_agent_stream_pending","probeId":"$p"}
		hear {"type":"cf_agent_stream_resuming","id":"next","probeId":"$p"}
		> next {"type":"start","messageId":"A1"}
		> next {"type":"tool-input-start","toolCallId":"c1","toolName":"buy"}
		> next {"type":"tool-input-available","toolCallId":"c1","toolName":"buy","input":{"n":1}}
		> next {"type":"tool-output-available","toolCallId":"c1","output":"bought"}
		> next {"type":"finish"}
		> next done`,
	"resumed_by_the_answer_to_an_earlier_probe": `
		initial [{"id":"U1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"A1","role":"assistant","parts":[{"type":"tool-pay","toolCallId":"c1","state":"approval-requested","input":{},"approval":{"id":"c1"}}]}]
		open
		wait 5000
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		answer c1 yes
		hear {"type":"cf_agent_stream_resuming","id":"other","probeId":"earlier"}
		> other replay {"type":"start","messageId":"A2"}
		> other replay {"type":"text-start","id":"t"}
		> other replay {"type":"text-delta","id":"t","delta":"one"}
		> other replay complete
		> other done`,
	"approved_and_continued": `
		sdk 7
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"tool-input-start","toolCallId":"c1","toolName":"buy"}
		> $r {"type":"tool-input-available","toolCallId":"c1","toolName":"buy","input":{"n":1}}
		> $r {"type":"tool-approval-request","approvalId":"ap1","toolCallId":"c1"}
		> $r {"type":"finish"}
		> $r done
		answer c1 yes
		hear {"type":"cf_agent_stream_resuming","id":"next","probeId":"$p"}
		> next replay {"type":"start","messageId":"A1"}
		> next replay complete
		> next {"type":"tool-output-available","toolCallId":"c1","output":"bought"}
		> next {"type":"text-start","id":"t"}
		> next {"type":"text-delta","id":"t","delta":"here"}
		> next {"type":"text-end","id":"t"}
		> next done`,
	"acknowledged_on_the_next_connection": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		> $r {"type":"text-start","id":"t"}
		drop
		wait 3000
		open
		broke
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		drop
		wait 3900
		open
		hear {"type":"cf_agent_stream_resuming","id":"$r"}
		> $r replay {"type":"start","messageId":"A1"}
		> $r replay {"type":"text-start","id":"t"}
		> $r replay {"type":"text-delta","id":"t","delta":"one "}
		> $r replay complete
		hear {"type":"cf_agent_stream_resuming","id":"$r","probeId":"$p"}
		> $r replay {"type":"text-delta","id":"t","delta":"two"}
		> $r replay complete
		> $r {"type":"text-end","id":"t"}
		> $r done`,
	"watched_on_the_next_connection": `
		connected
		broke
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		> other replay {"type":"start","messageId":"A1"}
		drop
		wait 3000
		open
		hear {"type":"cf_agent_stream_resuming","id":"other"}
		> other replay {"type":"start","messageId":"A1"}
		> other replay complete
		> other {"type":"text-start","id":"t"}
		> other {"type":"text-delta","id":"t","delta":"one"}
		> other done`,
	"ended_behind_the_connection": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		broke
		> $r {"type":"text-start","id":"t"}
		> $r {"type":"text-delta","id":"t","delta":"one"}
		> $r done
		drop
		wait 3000
		open
		hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}`,
	"recovering": `
		connected
		say hi
		> $r {"type":"start","messageId":"A1"}
		hear {"type":"cf_agent_chat_recovering","recovering":true,"id":"$r"}
		> $r done
		hear {"type":"cf_agent_chat_recovering","recovering":false,"id":"$r"}`,
	"recovering_seen_by_another": `
		connected
		> other {"type":"start","messageId":"A1"}
		hear {"type":"cf_agent_chat_recovering","recovering":true,"id":"other"}
		> other {"type":"text-delta","id":"t","delta":"on"}
		> other done`,
	"runs": `
		connected
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":1,"event":{"kind":"chunk","runId":"r1","body":"{\"type\":\"text-start\",\"id\":\"t\"}"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":0,"event":{"kind":"started","runId":"r1","agentType":"Researcher","inputPreview":{"q":"x"},"order":0,"display":{"name":"Research"}}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":1,"event":{"kind":"chunk","runId":"r1","body":"{\"type\":\"text-start\",\"id\":\"t\"}"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":2,"event":{"kind":"chunk","runId":"r1","body":"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"word\"}"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":3,"event":{"kind":"chunk","runId":"r1","body":"{\"type\":\"data-agent-milestone\",\"data\":{\"name\":\"half\",\"sequence\":0,\"at\":1764000000000}}"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":0,"replay":true,"event":{"kind":"started","runId":"r1","agentType":"Researcher","inputPreview":{"q":"x"},"order":0,"display":{"name":"Research"}}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":2,"replay":true,"event":{"kind":"chunk","runId":"r1","body":"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"word\"}"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":4,"event":{"kind":"interrupted","runId":"r1","error":"lost","reason":"no-progress"}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":4,"event":{"kind":"finished","runId":"r1","summary":""}}
		hear {"type":"agent-tool-event","parentToolCallId":"c1","sequence":0,"event":{"kind":"started","runId":"r1","agentType":"Planner","order":3}}
		hear {"type":"agent-tool-event","sequence":0,"event":{"kind":"started","runId":"r2","agentType":"Planner","order":0}}
		hear {"type":"agent-tool-event","sequence":1,"event":{"kind":"aborted","runId":"r2","reason":"stopped"}}
		clear`,
}
