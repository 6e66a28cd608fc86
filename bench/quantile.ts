/** The value below which a share of the samples lies; NaN of none. */
export function quantile(samples: number[], share: number): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(share * samples.length)] ?? Number.NaN;
}

/** The middle of the samples. */
export const median = (samples: number[]): number => quantile(samples, 0.5);
