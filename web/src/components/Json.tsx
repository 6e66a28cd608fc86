import { Scrolled } from "./Scrolled";

/** Json shows a value as JSON, and a string as plain text. */
export function Json({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <figure className="mt-2">
      <figcaption className="text-xs text-quiet">{title}</figcaption>
      <Scrolled label={title} className="mt-1 max-h-60 overflow-auto overscroll-contain rounded-lg bg-note px-3 py-2">
        <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
      </Scrolled>
    </figure>
  );
}
