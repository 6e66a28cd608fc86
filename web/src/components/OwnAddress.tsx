import { CopyButton } from "./CopyButton";

/** OwnAddress shows the address at which other programs use the conversation. */
export function OwnAddress({ address }: { address: string }) {
  return (
    <section aria-label="For other programs" className="mt-auto border-t border-line pt-4 text-sm">
      <h3 className="font-semibold">For other programs</h3>
      <p className="text-quiet">
        This conversation is a server itself. Give its address to another program to have it use these tools:
      </p>
      <div className="mt-1 flex items-center gap-1 rounded-lg bg-note py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-xs wrap-anywhere">{address}</code>
        <CopyButton text={address} label="Copy the address" />
      </div>
    </section>
  );
}
