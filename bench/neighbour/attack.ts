// The hostile client, in a process of its own: it sends frames, each from the next of its objects on a connection of its own,
// until it is told to end. Then it says how many.
import { setTimeout } from "node:timers/promises";
import { connect } from "../tab.ts";
import { frames } from "./frames.ts";

/** How many objects it has, and how long it stays on a connection for what comes of its frame, in ms. */
const objects = 5;
const stay = 5000;

const [, , url = "", pace] = process.argv;
let sent = 0;
process.on("message", () => process.send?.(sent, () => process.exit()));
for (;;) {
  const name = `hostile${sent % objects}`;
  const socket = connect(url, name);
  const frame = frames[sent++ % frames.length]?.() ?? "";
  socket.addEventListener("open", () => socket.send(frame as string));
  void setTimeout(stay).then(() => socket.close());
  await setTimeout(Number(pace));
}
