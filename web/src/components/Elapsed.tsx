import { useState } from "react";
import { elapsed } from "../elapsed";
import { useNow } from "../hooks/useNow";

/** Elapsed counts for how long the page has seen something run. The server says nothing of the time before. */
export function Elapsed() {
  const [begun] = useState(Date.now);
  const now = useNow(true);
  return (
    <span className="text-xs whitespace-nowrap text-quiet tabular-nums" title="Seen by this page for so long">
      <span className="sr-only">Seen for: </span>
      {elapsed(now - begun)}
    </span>
  );
}
