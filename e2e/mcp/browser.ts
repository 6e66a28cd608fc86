// What a browser does with a link: it follows redirects, and keeps cookies.

/** A cookie, and where it is sent. */
interface Cookie {
  host: string;
  path: string;
  text: string;
}

/** An answer, and where it came from. */
export interface Page {
  url: string;
  status: number;
  location: string | null;
  text: string;
}

export class Browser {
  readonly #cookies = new Map<string, Cookie>();

  /** Gets one page, and keeps its cookies. */
  get(url: string): Promise<Page> {
    return this.#load(url);
  }

  /** Presses the button of the form that a page has. */
  press({ url, text }: Page): Promise<Page> {
    const [, action = ""] = /<form method="post" action="([^"]*)"/.exec(text) ?? [];
    const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    const body = new URLSearchParams(fields.map(([, name = "", value = ""]) => [plain(name), plain(value)]));
    return this.#load(new URL(plain(action), url).href, { method: "POST", body });
  }

  /** Opens the link of a server that waits for a person, and presses the button of its page. */
  async leave(link: string): Promise<string> {
    const { status, location, text } = await this.press(await this.get(link));
    if (location === null) throw new Error(`the button is answered with ${status}: ${text}`);
    return location;
  }

  async #load(url: string, init: RequestInit = {}): Promise<Page> {
    const { host, pathname } = new URL(url);
    const cookie = [...this.#cookies.values()]
      .filter((one) => one.host === host && pathname.startsWith(one.path))
      .map(({ text }) => text)
      .join("; ");
    const headers = { ...(cookie && { cookie }), ...(init.method === "POST" && { origin: new URL(url).origin }) };
    const response = await fetch(url, { ...init, redirect: "manual", headers });
    for (const line of response.headers.getSetCookie()) this.#keep(host, line);
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      text: await response.text(),
    };
  }

  /** Follows a link to the page where it ends, or to the first address that a check names. */
  async follow(url: string, stop: (url: string) => boolean = () => false): Promise<Page> {
    let page = await this.get(url);
    for (let i = 0; i < 10 && page.location !== null && !stop(page.location); i++) page = await this.get(page.location);
    return page;
  }

  #keep(host: string, line: string): void {
    const [text = "", ...attributes] = line.split(";").map((part) => part.trim());
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    const key = [host, path, text.split("=")[0]].join(" ");
    if (attributes.some((one) => /^max-age=0$/i.test(one))) this.#cookies.delete(key);
    else this.#cookies.set(key, { host, path, text });
  }
}

/** A text of HTML as it is read. */
const plain = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#34;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
