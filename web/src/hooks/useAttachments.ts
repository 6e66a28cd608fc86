import { useState } from "react";
import { type Attachment, admit, read } from "../attachment";

/** Attachments is the list of files for the next message. */
export interface Attachments {
  list: Attachment[];
  /** Why files were not accepted, one text for each. */
  refused: string[];
  add: (files: Iterable<File>) => void;
  remove: (attachment: Attachment) => void;
  /** Shows why a message with these attachments cannot be sent. */
  refuse: (why: string) => void;
  /** Replaces the list. */
  set: (list: Attachment[]) => void;
}

async function readAll(files: File[]): Promise<{ read: Attachment[]; refused: string[] }> {
  const results = await Promise.allSettled(files.map(read));
  return {
    read: results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    refused: results.flatMap((result) => (result.status === "rejected" ? [String(result.reason?.message)] : [])),
  };
}

/** useAttachments holds a draft's files, within the limits of a message. */
export function useAttachments(): Attachments {
  const [{ list, refused }, set] = useState<Pick<Attachments, "list" | "refused">>({ list: [], refused: [] });
  return {
    list,
    refused,
    add: (files) =>
      void readAll([...files]).then((more) =>
        set((have) => {
          const { taken, refused } = admit(have.list, more.read);
          return { list: taken, refused: [...more.refused, ...refused] };
        }),
      ),
    remove: (attachment) => set((have) => ({ list: have.list.filter((each) => each !== attachment), refused: [] })),
    refuse: (why) => set(({ list }) => ({ list, refused: [why] })),
    set: (list) => set({ list, refused: [] }),
  };
}
