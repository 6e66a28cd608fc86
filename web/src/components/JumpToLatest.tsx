import { Button } from "@cloudflare/kumo/components/button";
import { ArrowDownIcon } from "@phosphor-icons/react";

/** JumpToLatest scrolls a reader who scrolled up back to the end. */
export function JumpToLatest({ onClick }: { onClick: () => void }) {
  return (
    <div className="pointer-events-none flex justify-center pb-3">
      <Button
        className="pointer-events-auto rounded-full shadow-md"
        size="sm"
        icon={<ArrowDownIcon size={14} />}
        onClick={onClick}
      >
        Latest
      </Button>
    </div>
  );
}
