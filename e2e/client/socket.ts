// jsdom's own WebSocket makes events that its EventTarget does not accept under vitest; ws is what the client's authors
// test with in Node.
import { WebSocket } from "ws";

Object.assign(globalThis, { WebSocket });
