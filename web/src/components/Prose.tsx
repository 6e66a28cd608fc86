import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./Markdown";

const markdown = import("./Markdown");
const Markdown = lazy(() => markdown);

/** Prose is markdown. Until its renderer has arrived, the text is shown as it is. */
export function Prose(props: MarkdownProps) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{props.text}</p>}>
      <Markdown {...props} />
    </Suspense>
  );
}
