import { CaretRightIcon } from "@phosphor-icons/react";

/** Caret shows whether a disclosure button is open. */
export function Caret({ open }: { open: boolean }) {
  return (
    <CaretRightIcon
      className={`shrink-0 transition-transform ${open ? "rotate-90" : ""}`}
      size={12}
      aria-hidden="true"
    />
  );
}
