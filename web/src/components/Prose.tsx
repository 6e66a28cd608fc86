import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./Markdown";

const markdown = import("./Markdown");
const Markdown = lazy(() => markdown);

/** Prose shows Markdown. The text is shown unformatted until the renderer has loaded. */
export function Prose(props: MarkdownProps) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{props.text}</p>}>
      <Markdown {...props} />
    </Suspense>
  );
}
