import { useMemo, useState } from "react";
import { isLong, isWide, linesOf, shownLines } from "../codelines";
import { useHighlighted } from "../hooks/useHighlighted";
import { QuietButton } from "./QuietButton";

interface CodeLinesProps {
  code: string;
  /** The number of the line that is marked as the one that failed. */
  failed: number | undefined;
}

/** CodeLines shows JavaScript with the numbers of its lines; of long code only the beginning, and the rest on request. */
export function CodeLines({ code, failed }: CodeLinesProps) {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => linesOf(code), [code]);
  const tokens = useHighlighted(lines.join("\n"), "javascript");
  const shown = shownLines(lines.length, failed, whole);
  return (
    // It stays in sight beside a long list of calls. All lines of long code would not fit.
    <div className={`min-w-0 ${whole ? "" : "@xl:sticky @xl:top-20"}`}>
      <pre className="overflow-hidden rounded-lg bg-note py-2 font-mono text-xs leading-5">
        <code>
          {shown.map((number) => {
            const Line = number === failed ? "mark" : "span";
            const cut = !whole && isWide(lines[number - 1] ?? "");
            return (
              <Line
                key={number}
                data-line={number || "⋮"}
                className={`code-line ${cut ? "max-h-[6lh] overflow-hidden" : ""}`}
              >
                {number === failed && <span className="sr-only">It failed here: </span>}
                {tokens?.[number - 1]?.map(({ content, color }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
                  <span key={index} style={{ color }}>
                    {content}
                  </span>
                )) ?? lines[number - 1]}
                {"\n"}
              </Line>
            );
          })}
        </code>
      </pre>
      {isLong(lines) && (
        <QuietButton aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : shown.length < lines.length ? `Show all ${lines.length} lines` : "Show whole lines"}
        </QuietButton>
      )}
    </div>
  );
}
