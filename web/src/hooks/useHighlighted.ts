import { useEffect, useMemo, useState } from "react";
import type { HighlightOptions, HighlightResult } from "streamdown";
import { highlighting } from "../highlight";

/** Longer code stays plain, in characters. Its colours would take the page's time. */
const limit = 20_000;

/** useHighlighted is code in coloured pieces, line by line; undefined until the language's grammar has loaded. */
export function useHighlighted(
  code: string,
  language: HighlightOptions["language"],
): HighlightResult["tokens"] | undefined {
  const [loaded, setLoaded] = useState(false);
  const options = useMemo<HighlightOptions>(
    () => ({ code, language, themes: highlighting.getThemes() }),
    [code, language],
  );
  const short = code.length <= limit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same call has a result once the grammar has loaded
  const result = useMemo(() => (short ? highlighting.highlight(options) : null), [options, short, loaded]);
  useEffect(() => {
    if (result || !short) return;
    let current = true;
    highlighting.highlight(options, () => current && setLoaded(true));
    return () => {
      current = false;
    };
  }, [options, result, short]);
  return result?.tokens;
}
