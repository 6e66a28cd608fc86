// The objects as a Worker of their own, behind a front door that is another Worker. Nothing but a binding leads to an object:
// a request that reaches this Worker by a route, past the front door, is refused.
export * from "./classes.ts";
export default { fetch: () => new Response("Not found", { status: 404 }) } satisfies ExportedHandler;
