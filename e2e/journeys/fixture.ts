// The fixtures of all journeys: a Worker for each suite, and a new conversation.
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { type Dev, dev } from "../dev";

export { expect, type Locator, type Page };

interface Suite {
  /** The Worker's variables and secrets. A suite may set its own. */
  vars: Record<string, string>;
  server: Dev;
}

/** The address of a new conversation. */
export const fresh = ({ url }: Dev) => `${url}/?c=journey-${Math.random().toString(36).slice(2)}`;

export const test = base.extend<{ chat: Chat }, Suite>({
  vars: [({ browser: _ }, use) => use({}), { scope: "worker" }],
  server: [
    async ({ vars }, use) => {
      const server = await dev({ vars });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  chat: async ({ page, server }, use) => {
    const chat = new Chat(page, fresh(server));
    await page.goto(chat.url);
    await expect(chat.connection).toHaveText("Connected");
    await use(chat);
  },
});

/** The messages and the composer of one conversation. */
class Talk {
  readonly answers: Locator;
  readonly questions: Locator;

  constructor(
    readonly conversation: Locator,
    readonly composer: Locator,
  ) {
    this.answers = conversation.getByRole("article", { name: "Assistant" });
    this.questions = conversation.getByRole("article", { name: "You" });
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }
}

/** The page, by what a person sees. */
export class Chat extends Talk {
  readonly connection: Locator;
  readonly stop: Locator;
  /** The button below a complete answer. */
  readonly regenerate: Locator;
  /** The panels of helpers, each below its tool call. */
  readonly helpers: Locator;
  /** The side panel with a helper's own conversation. */
  readonly side: Side;

  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    super(
      page.getByRole("log", { name: "Conversation", exact: true }),
      page.getByRole("textbox", { name: "Message", exact: true }),
    );
    this.connection = page.getByRole("status", { name: "Connection" });
    this.stop = page.getByRole("button", { name: "Stop", exact: true });
    this.regenerate = page.getByRole("button", { name: "Regenerate" });
    this.helpers = this.conversation.getByRole("region", { name: /^Helper / });
    this.side = new Side(page.getByRole("dialog", { name: /^Helper / }));
  }

  /** The same conversation in another tab. */
  in(page: Page): Chat {
    return new Chat(page, this.url);
  }

  /** Clears the conversation, and confirms it when the page asks. */
  async clear(): Promise<void> {
    await this.page.getByRole("button", { name: "Clear" }).click();
    await this.page.getByRole("alertdialog").getByRole("button", { name: "Clear" }).click();
  }
}

/** A helper's own conversation in the side panel. */
export class Side extends Talk {
  readonly send: Locator;
  readonly stop: Locator;

  constructor(readonly dialog: Locator) {
    super(
      dialog.getByRole("log", { name: "Conversation with helper" }),
      dialog.getByRole("textbox", { name: "Message to helper" }),
    );
    this.send = dialog.getByRole("button", { name: "Send to helper" });
    this.stop = dialog.getByRole("button", { name: "Stop helper" });
  }
}
