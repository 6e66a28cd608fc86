import { useBuild } from "./useBuild";

/** BuildWord says in the header that a build is under way. A narrow header has no room for it, and only tells it aloud. */
export default function BuildWord({ address }: { address: string }) {
  const { building } = useBuild(address);
  return (
    <output aria-label="Build" className="text-sm text-quiet max-sm:sr-only">
      {building && <span className="appear block px-2">Building</span>}
    </output>
  );
}
