import { type Outcome, pretty } from "../code";
import { Json } from "./Json";

/** CodeOutcome shows what code has returned and the lines that it has written. */
export function CodeOutcome({ outcome: { status, result, logs } }: { outcome: Outcome }) {
  return (
    <>
      {status === "completed" && result !== undefined && <Json title="Result" value={pretty(result)} />}
      {logs.length > 0 && <Json title="Log" value={logs.join("\n")} />}
    </>
  );
}
