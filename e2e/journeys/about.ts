// What the server says of itself to the page, in the words of a test.
import type { Page } from "./fixture";

export interface Root {
  agent: string;
  title: string;
  description?: string;
  suggestions?: string[];
}

/** Told counts how often the page has asked. */
export interface Told {
  times: number;
}

/** Answers the page's question whom it can talk to; dev is the address of a tool's build events. */
export async function tell(page: Page, roots: Root[], dev?: string): Promise<Told> {
  const told = { times: 0 };
  await page.route("**/tributary.json", (route) => {
    told.times++;
    return route.fulfill({ json: { version: "0", roots, features: [], dev } });
  });
  return told;
}
