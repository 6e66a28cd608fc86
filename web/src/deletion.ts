/** Deletion counts what clearing a conversation deletes. */
export interface Deletion {
  messages: number;
  /** Runs that tool calls waited for. */
  helpers: number;
  /** Runs that no tool call waits for. */
  background: number;
  /** A turn or a run is still active. */
  atWork: boolean;
}

const list = new Intl.ListFormat("en");

/** deletionText is the warning before a conversation is cleared. */
export function deletionText({ messages, helpers, background, atWork }: Deletion): string {
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
