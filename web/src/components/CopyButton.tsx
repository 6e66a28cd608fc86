import { Button } from "@cloudflare/kumo/components/button";
import { CheckIcon, CopyIcon, WarningIcon } from "@phosphor-icons/react";
import { useEffect, useState } from "react";

type Outcome = "copied" | "failed";

const looks = {
  copied: { icon: <CheckIcon size={14} />, word: "Copied" },
  failed: { icon: <WarningIcon size={14} />, word: "Not copied" },
};

/** CopyButton puts a text into the clipboard, and says for a moment that it has. */
export function CopyButton({ text }: { text: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(setOutcome, 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const { icon, word } = outcome ? looks[outcome] : { icon: <CopyIcon size={14} />, word: "Copy" };

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed"); // The browser forbids it, as on a page without https.
    }
  };
  return (
    <Button className="text-quiet" size="sm" variant="ghost" icon={icon} onClick={copy}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
