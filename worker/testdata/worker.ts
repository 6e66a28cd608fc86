// One agent behind three front doors. The query chooses one.
import frontdoor from "../../build/frontdoor.wasm";
import trapdoor from "../../build/trapdoor.wasm";
import { serve } from "../serve";

export { Assistant } from "./assistant";

type Env = Record<string, unknown>;

const secret = "0123456789abcdef0123456789abcdef";
const open = serve(frontdoor);
const shut = serve(frontdoor);
const trap = serve(trapdoor);

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const door = new URL(request.url).searchParams.get("door");
    if (door === "trap") return trap(request, env);
    if (door === "shut") return shut(request, { ...env, TRIBUTARY_ENV: "", TRIBUTARY_TOKEN_SECRET: secret });
    return open(request, { ...env, TRIBUTARY_CORS: "*" });
  },
};
