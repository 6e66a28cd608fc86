MAKE answer
MAKE ask
MAKE authorized
MAKE await
MAKE call_id
MAKE callback
MAKE caller
MAKE chunk
MAKE damage
MAKE drill
MAKE early
MAKE heard
MAKE letter
MAKE message
MAKE milestone
MAKE milestone_waiter
MAKE narration
MAKE offer
MAKE room_version
MAKE run
MAKE schedule
MAKE setting
MAKE slot
MAKE spent
MAKE step
MAKE task
MAKE tool_call
MAKE turn
MAKE untold
MAKE unwoken
MAKE waiter
INSERT INTO chunk VALUES (1,0,77,'{"type":"start","messageId":"sVKHOBT5huM6sPft","messageMetadata":{"createdAt":1700000000000}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"web_search"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"web_search","input":{"query":"the moon"}}' || char(10) || '{"type":"tool-output-available","toolCallId":"call_EjSWxJjLrKBOlaNv","output":"something"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"text-start","id":"p1"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"### "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"moon\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"I "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"am "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"demo "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"model "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"in "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"researcher''s "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"place, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"so "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"this "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"has "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"shape "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"of "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"finding "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"rather "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"than "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"its "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"substance.\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**Asked:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"moon\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**The "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"search "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"gave:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"something\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"- "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"**What "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"a "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"real "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"model "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"would "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"do "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"now:** "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"weigh "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"the "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"sources "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"against "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"each "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"other, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"ask "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"again "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"where "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"they "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"disagree, "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"and "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"say "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"how "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"sure "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"it "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"is.\n\n"}' || char(10) || '{"type":"text-delta","id":"p1","delta":"That "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"is "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"all "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"I "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"can "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"say "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"about "}' || char(10) || '{"type":"text-delta","id":"p1","delta":"it."}' || char(10) || '{"type":"text-end","id":"p1"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"stop","messageMetadata":{"usage":{"inputTokens":23,"outputTokens":93}}}')
INSERT INTO message VALUES (1,'task-p2','user',0,0,'{"id":"task-p2","role":"user","parts":[{"type":"text","text":"the moon"}]}')
INSERT INTO message VALUES (2,'sVKHOBT5huM6sPft','assistant',0,0,'{"id":"sVKHOBT5huM6sPft","role":"assistant","metadata":{"createdAt":1700000000000,"usage":{"inputTokens":23,"outputTokens":93}},"parts":[{"type":"step-start"},{"type":"tool-web_search","toolCallId":"call_EjSWxJjLrKBOlaNv","toolName":"web_search","state":"output-available","input":{"query":"the moon"},"output":"something"},{"type":"step-start"},{"type":"text","text":"### the moon\n\nI am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.\n\n- **Asked:** the moon\n- **The search gave:** something\n- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.\n\nThat is all I can say about it.","state":"done"}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-2.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":23,"outputTokens":93,"modelCalls":2}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('p2',1,1,'{"Run":"p2","Generation":1,"Prompt":"the moon","Input":{"query":"the moon"},"Depth":1}',1,'{"status":"completed","summary":"### the moon\n\nI am the demo model in a researcher''s place, so this has the shape of a finding rather than its substance.\n\n- **Asked:** the moon\n- **The search gave:** something\n- **What a real model would do now:** weigh the sources against each other, ask again where they disagree, and say how sure it is.\n\nThat is all I can say about it.","usage":{"inputTokens":23,"outputTokens":93,"modelCalls":2}}','')
INSERT INTO turn VALUES (1,'run-p2','','completed','["task-p2"]','','sVKHOBT5huM6sPft',0,2,0,0,0,0,7,1700000000000,2,0,'',1700000000000,1700000000000,1700000000780,0,0,'','','',0,0)
MAKE ask_message
MAKE await_ended
MAKE callback_due
MAKE caller_turn
MAKE message_pictures
MAKE milestone_waiter_run
MAKE run_cancel_due
MAKE run_status
MAKE run_stops_with
MAKE run_turn
MAKE run_unfinished
MAKE task_turn
MAKE turn_final
MAKE turn_key
MAKE turn_passing
MAKE turn_request
MAKE turn_status
MAKE turn_submission
MAKE waiter_run
DELETE FROM sqlite_sequence
INSERT INTO sqlite_sequence VALUES ('turn',1)
