import type { ComponentProps } from "react";

interface ScrolledProps extends ComponentProps<"div"> {
  label: string;
}

/** Scrolled is a box with more in it than it shows: it is reached by the keyboard, which scrolls it then. */
export function Scrolled({ label, ...props }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls what has the focus
    <div role="group" aria-label={label} tabIndex={0} {...props} />
  );
}
