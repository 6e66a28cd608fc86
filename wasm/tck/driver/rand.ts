/** Makes the random stream of durabletest.Rand: xorshift32, of which each step gives the highest byte. */
export function rand(seed: number): (bytes: Uint8Array) => void {
  let x = (seed | 1) >>> 0;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      bytes[i] = x >>> 24;
    }
  };
}
