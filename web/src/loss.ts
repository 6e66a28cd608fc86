/** Loss counts what goes when a conversation is cleared. */
export interface Loss {
  messages: number;
  /** The helpers that calls have waited for. */
  helpers: number;
  /** Runs that no call waits for. */
  background: number;
  /** Something of it is still under way. */
  atWork: boolean;
}

const list = new Intl.ListFormat("en");

/** lossText says what goes, in words. */
export function lossText({ messages, helpers, background, atWork }: Loss): string {
  const what = list.format([
    ...counted(messages, "message"),
    ...counted(helpers, "helper"),
    ...counted(background, "background run"),
  ]);
  const stops = atWork ? " What is still at work is stopped." : "";
  return `This deletes ${what}, for everybody who has this conversation open.${stops} This cannot be undone.`;
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`];
}
