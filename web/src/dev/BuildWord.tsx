import { useBuild } from "./useBuild";

/** BuildWord says in the header that a build is under way. */
export default function BuildWord({ address }: { address: string }) {
  const { building } = useBuild(address);
  return (
    <output aria-label="Build" className="text-sm text-quiet">
      {building && <span className="appear block px-2">Building</span>}
    </output>
  );
}
