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
INSERT INTO ask VALUES (1,'call_TPULKLVEwRNd4JOI','B_lornqNtuKknopI','call_1f2o8m0r3Gj-tnaE','open',0,0)
INSERT INTO chunk VALUES (1,0,7,'{"type":"start","messageId":"B_lornqNtuKknopI","messageMetadata":{"createdAt":1700000003972}}' || char(10) || '{"type":"start-step"}' || char(10) || '{"type":"tool-input-start","toolCallId":"call_TPULKLVEwRNd4JOI","toolName":"inspect_file"}' || char(10) || '{"type":"tool-input-available","toolCallId":"call_TPULKLVEwRNd4JOI","toolName":"inspect_file","input":{"path":"config/.env"}}' || char(10) || '{"type":"tool-approval-request","toolCallId":"call_TPULKLVEwRNd4JOI","approvalId":"call_TPULKLVEwRNd4JOI"}' || char(10) || '{"type":"finish-step"}' || char(10) || '{"type":"finish","finishReason":"tool-calls","messageMetadata":{"usage":{"inputTokens":88,"outputTokens":9}}}')
INSERT INTO message VALUES (1,'task-call_1f2o8m0r3Gj-tnaE','user',0,0,'{"id":"task-call_1f2o8m0r3Gj-tnaE","role":"user","parts":[{"type":"text","text":"the deployment with config/.env"}]}')
INSERT INTO message VALUES (2,'B_lornqNtuKknopI','assistant',0,0,'{"id":"B_lornqNtuKknopI","role":"assistant","metadata":{"createdAt":1700000003972,"usage":{"inputTokens":88,"outputTokens":9}},"parts":[{"type":"step-start"},{"type":"tool-inspect_file","toolCallId":"call_TPULKLVEwRNd4JOI","toolName":"inspect_file","state":"approval-requested","input":{"path":"config/.env"},"approval":{"id":"call_TPULKLVEwRNd4JOI"}}]}')
INSERT INTO room_version VALUES ('callback',2)
INSERT INTO room_version VALUES ('chat',28)
INSERT INTO room_version VALUES ('damage',1)
INSERT INTO room_version VALUES ('flow',2)
INSERT INTO room_version VALUES ('run',21)
INSERT INTO room_version VALUES ('schedule',5)
INSERT INTO room_version VALUES ('stream',2)
INSERT INTO room_version VALUES ('turn',18)
INSERT INTO setting VALUES ('generation','1')
INSERT INTO setting VALUES ('name','room/helper-4.0')
INSERT INTO setting VALUES ('place','2')
INSERT INTO setting VALUES ('used','{"inputTokens":88,"outputTokens":9,"modelCalls":1}')
INSERT INTO spent VALUES (0,0,0,0)
INSERT INTO task VALUES ('call_1f2o8m0r3Gj-tnaE',1,1,'{"Run":"call_1f2o8m0r3Gj-tnaE","Generation":1,"Prompt":"the deployment with config/.env","Input":{"description":"the deployment with config/.env"},"Depth":1}',0,'{"status":"completed","usage":{"inputTokens":88,"outputTokens":9,"modelCalls":1}}','')
INSERT INTO turn VALUES (1,'run-call_1f2o8m0r3Gj-tnaE','','completed','["task-call_1f2o8m0r3Gj-tnaE"]','','B_lornqNtuKknopI',0,2,0,0,0,0,2,1700000003972,1,0,'',1700000003972,1700000003972,1700000003972,0,0,'','','',0,0)
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
