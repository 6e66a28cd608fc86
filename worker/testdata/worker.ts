// One agent behind four front doors. The query chooses one.
import "../../.tributary/wasm_exec.js";
import { env } from "cloudflare:workers";
import frontdoor from "../../.tributary/frontdoor.wasm";
import login from "../../build/login.wasm";
import trapdoor from "../../build/trapdoor.wasm";
import { serve } from "../serve.ts";
import about from "./about.json";

export { Assistant } from "./assistant.ts";

const secret = "0123456789abcdef0123456789abcdef";
const open = serve(frontdoor, { ...env, TRIBUTARY_CORS: "*" });
const closed = { ...env, TRIBUTARY_ENV: "", TRIBUTARY_TOKEN_SECRET: secret };
const shut = serve(frontdoor, closed);
const own = serve(login, { ...closed, LOGIN_KEY: "open, sesame" }, about);
const trap = serve(trapdoor, { ...env });

export default {
  fetch(request: Request): Promise<Response> {
    const door = new URL(request.url).searchParams.get("door");
    if (door === "trap") return trap(request);
    if (door === "login") return own(request);
    return door === "shut" ? shut(request) : open(request);
  },
};
