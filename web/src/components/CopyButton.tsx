import { CheckIcon, CopyIcon, WarningIcon } from "@phosphor-icons/react";
import { useEffect, useState } from "react";
import { QuietButton } from "./QuietButton";

type Outcome = "copied" | "failed";

const looks = {
  copied: { icon: <CheckIcon size={15} />, word: "Copied" },
  failed: { icon: <WarningIcon size={15} />, word: "Not copied" },
};

interface CopyButtonProps {
  text: string;
  /** What the button says. */
  label?: string;
}

/** CopyButton copies a text to the clipboard, and shows for a moment whether it succeeded. */
export function CopyButton({ text, label = "Copy" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(setOutcome, 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const { icon, word } = outcome ? looks[outcome] : { icon: <CopyIcon size={15} />, word: "" };

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed"); // The browser forbids it, as on a page without https.
    }
  };
  return (
    <>
      <QuietButton shape="square" aria-label={label} title={label} icon={icon} onClick={copy} />
      <span aria-live="polite" className="sr-only">
        {word}
      </span>
    </>
  );
}
