import { Button } from "@cloudflare/kumo/components/button";
import { XIcon } from "@phosphor-icons/react";

/** CloseButton closes a panel. */
export function CloseButton({ onClick }: { onClick: () => void }) {
  return <Button variant="ghost" shape="square" aria-label="Close" icon={<XIcon size={16} />} onClick={onClick} />;
}
