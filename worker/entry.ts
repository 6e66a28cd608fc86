// The Worker: the front door, and the classes of the objects behind it.
export * from "./classes.ts";
export { default } from "./door.ts";
