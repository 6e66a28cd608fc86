import type { ComponentProps } from "react";

interface ScrolledProps extends ComponentProps<"div"> {
  label: string;
  className: string;
}

/**
 * Scrolled is a box with more in it than it shows: it is reached by the keyboard, which scrolls it then. What is hidden in it
 * has its place in it, too; else the page would grow by what the box does not show.
 */
export function Scrolled({ label, className, ...props }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls what has the focus
    <div role="group" aria-label={label} tabIndex={0} className={`relative ${className}`} {...props} />
  );
}
