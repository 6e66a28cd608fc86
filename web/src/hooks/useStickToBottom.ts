import { useCallback, useEffect, useRef, useState } from "react";

/** How far above the end of the page, in pixels, counts as having come back to it. */
const slack = 56;

function distanceToEnd(): number {
  const page = document.documentElement;
  return page.scrollHeight - page.clientHeight - window.scrollY;
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}

/**
 * useStickToBottom keeps the end of the page in view while it grows, for as long as the reader is there.
 * Attach `content` to what grows; `follow` takes the reader back to the end.
 */
export function useStickToBottom() {
  const following = useRef(true);
  const [away, setAway] = useState(false);

  useEffect(() => {
    let before = window.scrollY;
    const onScroll = () => {
      // A page that has just grown is far from its end too; only going up is leaving.
      const up = window.scrollY < before;
      before = window.scrollY;
      if (up) following.current = distanceToEnd() <= 1;
      else if (distanceToEnd() <= slack) following.current = true;
      setAway(!following.current);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);

  const content = useCallback((node: HTMLElement | null) => {
    if (!node) return;
    const observer = new ResizeObserver(() => {
      if (following.current) scrollToEnd();
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, []);

  const follow = useCallback(() => {
    following.current = true;
    setAway(false);
    scrollToEnd();
  }, []);

  return { content, away, follow };
}
