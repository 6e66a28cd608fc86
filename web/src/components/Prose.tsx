import { lazy, Suspense } from "react";

const markdown = import("./Markdown");
const Markdown = lazy(() => markdown);

/** Prose is markdown. Until its renderer has arrived, the text is shown as it is. */
export function Prose({ text, live }: { text: string; live: boolean }) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}>
      <Markdown text={text} live={live} />
    </Suspense>
  );
}
