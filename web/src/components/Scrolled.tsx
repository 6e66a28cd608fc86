import type { ComponentProps } from "react";

interface ScrolledProps extends ComponentProps<"div"> {
  label: string;
  className: string;
}

/**
 * Scrolled is a box whose content scrolls. It takes the focus, so that the keyboard can scroll it. It is positioned, so that
 * hidden elements inside it do not make the page longer.
 */
export function Scrolled({ label, className, ...props }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
    <div role="group" aria-label={label} tabIndex={0} className={`relative ${className}`} {...props} />
  );
}
