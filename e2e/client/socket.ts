// jsdom's own WebSocket makes events that its EventTarget does not accept under vitest. The client's authors test with
// ws in Node.
import { WebSocket } from "ws";

Object.assign(globalThis, { WebSocket });
