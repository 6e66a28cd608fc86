// The demo server's own authorisation server: metadata, registration, a page with one button, and tokens.
import { createHash, randomUUID } from "node:crypto";
import { escaped, page } from "./http.ts";

const scope = "office";
const hour = 60 * 60;

interface Grant {
  client: string;
  redirect: string;
  challenge: string;
  resource: string;
}

export class SignIn {
  /** The tokens that were given away, of both kinds. */
  readonly issued: string[] = [];
  readonly #origin: string;
  readonly #resource: string;
  readonly #metadata: string;
  readonly #clients = new Map<string, string[]>();
  readonly #codes = new Map<string, Grant>();
  readonly #refreshes = new Map<string, string>();
  readonly #tokens = new Map<string, number>();

  /** The resource is the path for which one has to sign in. */
  constructor(origin: string, resource: string) {
    this.#origin = origin;
    this.#resource = origin + resource;
    this.#metadata = `/.well-known/oauth-protected-resource${resource}`;
  }

  /** Refuses a request without a token that is good; undefined for one that has it. */
  async refuse(request: Request): Promise<Response | undefined> {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
    if ((this.#tokens.get(token) ?? 0) > Date.now()) return undefined;
    const challenge = `Bearer resource_metadata="${this.#origin}${this.#metadata}", scope="${scope}"`;
    return Response.json({ error: "invalid_token" }, { status: 401, headers: { "WWW-Authenticate": challenge } });
  }

  /** Makes all tokens invalid. What refreshes them stays. */
  expire(): void {
    this.#tokens.clear();
  }

  /** Answers for the pages of signing in; undefined for any other. */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case `GET ${this.#metadata}`:
        return Response.json({
          resource: this.#resource,
          authorization_servers: [this.#origin],
          scopes_supported: [scope],
        });
      case "GET /.well-known/oauth-authorization-server":
        return Response.json({
          issuer: this.#origin,
          authorization_endpoint: `${this.#origin}/authorize`,
          token_endpoint: `${this.#origin}/token`,
          registration_endpoint: `${this.#origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          token_endpoint_auth_methods_supported: ["none"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true,
          scopes_supported: [scope],
        });
      case "POST /register":
        return this.#register(await request.json());
      case "GET /authorize":
        return this.#ask(searchParams);
      case "POST /authorize":
        return this.#allow(new URLSearchParams(await request.text()));
      case "POST /token":
        return this.#exchange(new URLSearchParams(await request.text()));
      default:
        return undefined;
    }
  }

  #register(wanted: { redirect_uris?: unknown; client_name?: unknown }): Response {
    const { redirect_uris: uris, client_name } = wanted;
    if (!Array.isArray(uris) || uris.length === 0)
      return Response.json({ error: "invalid_redirect_uri" }, { status: 400 });
    const client_id = randomUUID();
    this.#clients.set(client_id, uris.map(String));
    const client = { client_id, client_name, redirect_uris: uris, token_endpoint_auth_method: "none" };
    return Response.json(client, { status: 201 });
  }

  /** What is wrong with a request to sign in, in words; undefined if it is good. */
  #fault(asked: URLSearchParams): string | undefined {
    const uris = this.#clients.get(asked.get("client_id") ?? "");
    if (!uris) return "The client is not known.";
    if (!uris.includes(asked.get("redirect_uri") ?? ""))
      return "The client has not registered where it wants to go on.";
    if (asked.get("code_challenge_method") !== "S256" || !asked.get("code_challenge"))
      return "The client does not use PKCE.";
    if (asked.get("resource") !== this.#resource) return "The client wants another resource.";
    return undefined;
  }

  #ask(asked: URLSearchParams): Response {
    const fault = this.#fault(asked);
    if (fault) return page("This does not work", `<p>${escaped(fault)}</p>`);
    const fields = [...asked].map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    );
    const where = escaped(new URL(asked.get("redirect_uri") ?? "").host);
    return page(
      "Sign in to the demo",
      `<p>A chat at <b>${where}</b> wants to use the tools of this server for you.</p><form method="post" action="/authorize">${fields.join("")}<button>Allow</button></form>`,
    );
  }

  #allow(asked: URLSearchParams): Response {
    const fault = this.#fault(asked);
    if (fault) return page("This does not work", `<p>${escaped(fault)}</p>`);
    const redirect = asked.get("redirect_uri") ?? "";
    const code = randomUUID();
    this.#codes.set(code, {
      client: asked.get("client_id") ?? "",
      redirect,
      challenge: asked.get("code_challenge") ?? "",
      resource: asked.get("resource") ?? "",
    });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("iss", this.#origin);
    return new Response(null, { status: 303, headers: { Location: back.href } });
  }

  #exchange(asked: URLSearchParams): Response {
    const client = asked.get("client_id") ?? "";
    if (asked.get("grant_type") === "refresh_token") {
      const refresh = asked.get("refresh_token") ?? "";
      const known = this.#refreshes.get(refresh) === client;
      this.#refreshes.delete(refresh);
      return known ? this.#issue(client) : refusal("invalid_grant");
    }
    if (asked.get("grant_type") !== "authorization_code") return refusal("unsupported_grant_type");
    const grant = this.#codes.get(asked.get("code") ?? "");
    this.#codes.delete(asked.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      grant?.client === client &&
      grant.challenge === challenge &&
      grant.redirect === asked.get("redirect_uri") &&
      grant.resource === asked.get("resource");
    return fits ? this.#issue(client) : refusal("invalid_grant");
  }

  #issue(client: string): Response {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    this.issued.push(access_token, refresh_token);
    this.#tokens.set(access_token, Date.now() + hour * 1000);
    this.#refreshes.set(refresh_token, client);
    const headers = { "Cache-Control": "no-store" };
    return Response.json({ access_token, token_type: "Bearer", expires_in: hour, refresh_token, scope }, { headers });
  }
}

function refusal(error: string): Response {
  return Response.json({ error }, { status: 400 });
}
