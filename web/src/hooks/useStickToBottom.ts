import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** A reader within so many pixels of the end counts as being at the end. */
const slack = 56;

type Box = RefObject<HTMLElement | null>;

function scrollerOf(box: Box | undefined): HTMLElement {
  return box?.current ?? document.documentElement;
}

function distanceToEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop;
}

function scrollToEnd(scroller: HTMLElement): void {
  scroller.scrollTo({ top: scroller.scrollHeight });
}

/**
 * useStickToBottom keeps the end of a box in view while its content grows, as long as the reader is at the end. Without a
 * box it scrolls the page. Attach `content` to the growing element; `follow` scrolls back to the end.
 */
export function useStickToBottom(box?: Box) {
  const following = useRef(true);
  const [away, setAway] = useState(false);

  useEffect(() => {
    const scroller = scrollerOf(box);
    let before = scroller.scrollTop;
    const onScroll = () => {
      // Only scrolling up leaves the end. A page that has just grown is far from its end as well.
      const up = scroller.scrollTop < before;
      before = scroller.scrollTop;
      if (up) following.current = distanceToEnd(scroller) <= 1;
      else if (distanceToEnd(scroller) <= slack) following.current = true;
      setAway(!following.current);
    };
    const source = box?.current ?? window;
    source.addEventListener("scroll", onScroll, { passive: true });
    return () => source.removeEventListener("scroll", onScroll);
  }, [box]);

  const content = useCallback(
    (node: HTMLElement | null) => {
      if (!node) return;
      const observer = new ResizeObserver(() => {
        if (following.current) scrollToEnd(scrollerOf(box));
      });
      observer.observe(node);
      return () => observer.disconnect();
    },
    [box],
  );

  const follow = useCallback(() => {
    following.current = true;
    setAway(false);
    scrollToEnd(scrollerOf(box));
  }, [box]);

  return { content, away, follow };
}
