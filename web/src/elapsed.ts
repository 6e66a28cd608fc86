/** elapsed formats a duration in milliseconds: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** tokens formats a number of tokens: `940 tokens`, `12.4k tokens`. */
export function tokens(count: number): string {
  if (count === 1) return "1 token";
  return count < 1000 ? `${count} tokens` : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k tokens`;
}
