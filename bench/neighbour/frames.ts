// Large and odd frames of every kind that a client can send.

const mega = 1 << 20;

/** A chat request with these messages, and more fields of its body. */
const request = (messages: unknown, more: object = {}) => ({
  type: "cf_agent_use_chat_request",
  id: crypto.randomUUID(),
  init: { method: "POST", body: JSON.stringify({ messages, trigger: "submit-message", ...more }) },
});
const message = (text: string) => ({ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] });
const rpc = (method: string, ...args: unknown[]) => ({ type: "rpc", id: crypto.randomUUID(), method, args });
const tool = (description: string) => ({ name: "t", description, parameters: {} });

/** What is sent, a frame at a time, over and over. */
export const frames: (() => string | Uint8Array)[] = [
  () => JSON.stringify(rpc("runs", { status: "<".repeat(1.4 * mega) })),
  () => JSON.stringify(rpc("x".repeat(3 * mega))),
  () => JSON.stringify(rpc("runs", Array(1_000_000).fill([]))),
  () => JSON.stringify(request([message("Compare a and b")], { clientTools: [tool("<".repeat(4 * mega))] })),
  () => JSON.stringify(request([message("<".repeat(1.1 * mega))])),
  () => JSON.stringify(request([message(`Look at ${"b".repeat(1.1 * mega)}`)])),
  () => JSON.stringify(request(Array.from({ length: 9_999 }, () => message("odd")))),
  () => JSON.stringify(request(Array(1_500_000).fill(0))),
  () => JSON.stringify({ type: "cf_agent_chat_messages", messages: Array(1_000_000).fill({}) }),
  () =>
    JSON.stringify({
      type: "cf_agent_tool_result",
      toolCallId: "<".repeat(mega),
      toolName: "t",
      output: "<".repeat(mega),
    }),
  () => JSON.stringify({ type: "cf_agent_tool_approval", toolCallId: "x".repeat(3 * mega), approved: true }),
  () => JSON.stringify({ type: "cf_agent_stream_resume_ack", id: "x".repeat(4 * mega) }),
  () => JSON.stringify({ type: "cf_agent_state", state: { n: "x".repeat(4 * mega) } }),
  () => JSON.stringify({ type: "x".repeat(4 * mega) }),
  () => "[".repeat(4 * mega),
  () => `{"type":${"[".repeat(2 * mega)}${"]".repeat(2 * mega)}}`,
  () => "x".repeat(4.9 * mega),
  () => new Uint8Array(4.9 * mega),
  () => "",
];
