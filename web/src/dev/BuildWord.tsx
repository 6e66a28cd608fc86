import { useEffect } from "react";
import { askAnew, useBuild } from "./useBuild";

interface BuildWordProps {
  address: string;
  /** The page is connected to the Worker, which starts again after a build. */
  connected: boolean;
}

/** BuildWord says in the header that a build is under way. A narrow header has no room for it, and only tells it aloud. */
export default function BuildWord({ address, connected }: BuildWordProps) {
  const { building } = useBuild(address);
  useEffect(() => {
    if (connected) askAnew();
  }, [connected]);
  return (
    <output aria-label="Build" className="text-sm text-quiet max-sm:sr-only">
      {building && <span className="appear block px-2">Building</span>}
    </output>
  );
}
