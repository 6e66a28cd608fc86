import type { ComponentProps } from "react";
import { Scrolled } from "./Scrolled";

/** MarkdownTable shows a table of an answer, which scrolls where it is too wide. */
export function MarkdownTable({ children }: ComponentProps<"table">) {
  return (
    <Scrolled label="Table" className="my-4 overflow-x-auto rounded-lg border border-line bg-surface">
      <table data-streamdown="table" className="w-full border-collapse text-sm">
        {children}
      </table>
    </Scrolled>
  );
}
