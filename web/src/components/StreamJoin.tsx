/** StreamJoin draws the curve by which one stream joins the stream at the left edge. */
export function StreamJoin() {
  return (
    <svg
      className="absolute top-4 left-0 h-8 w-7 text-stream sm:w-9"
      viewBox="0 0 36 32"
      preserveAspectRatio="none"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M36 6H30C14 6 5 14 5 32" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
