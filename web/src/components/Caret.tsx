import { CaretRightIcon } from "@phosphor-icons/react";

/** Caret points at what a button unfolds. */
export function Caret({ open }: { open: boolean }) {
  return (
    <CaretRightIcon
      className={`shrink-0 transition-transform ${open ? "rotate-90" : ""}`}
      size={12}
      aria-hidden="true"
    />
  );
}
