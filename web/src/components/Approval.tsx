import { Button } from "@cloudflare/kumo/components/button";

/** Approval asks a person whether a tool may be used. */
export function Approval({ tool, onAnswer }: { tool: string; onAnswer: (approved: boolean) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-3">
      <p className="grow">
        May <span className="font-mono text-[0.9em]">{tool}</span> be used like this?
      </p>
      <div className="ml-auto flex gap-2">
        <Button size="sm" onClick={() => onAnswer(false)}>
          Deny
        </Button>
        <Button size="sm" variant="primary" onClick={() => onAnswer(true)}>
          Approve
        </Button>
      </div>
    </div>
  );
}
