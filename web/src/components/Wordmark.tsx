import { useSite } from "../hooks/useAbout";
import { product } from "../product";

/** Wordmark shows the name of the site. The framework's own name has its logo: two streams that join a third. */
export function Wordmark() {
  const site = useSite();
  if (site !== product) {
    return (
      <span className="block truncate font-display text-[1.3rem] tracking-tight" title={site}>
        {site}
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2">
      <svg
        className="size-5.5 text-river"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M12 2v20M4.5 4c0 5 7.5 4.5 7.5 10.5M19.5 8c0 4.5-7.5 4-7.5 10" />
      </svg>
      <span className="font-display text-[1.3rem] tracking-tight max-[23rem]:sr-only">{product}</span>
    </span>
  );
}
