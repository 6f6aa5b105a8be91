/** Perceived brightness, 0 to 255 (Rec. 709). */
export const brightnessOf = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/**
 * Histogram equalization: maps each of 256 values to 0–1, so that all brightnesses are about equally frequent. Null for
 * an image of a single brightness.
 * @param pixels four bytes each
 */
export function equalizing(pixels: Uint8ClampedArray): number[] | null {
  const counts = Array.from({ length: 256 }, () => 0);
  let count = 0;
  for (let place = 0; place < pixels.length; place += 4) {
    if ((pixels[place + 3] ?? 0) < 128) continue;
    const value = Math.round(brightnessOf(pixels[place] ?? 0, pixels[place + 1] ?? 0, pixels[place + 2] ?? 0));
    counts[value] = (counts[value] ?? 0) + 1;
    count += 1;
  }
  const least = counts.find((one) => one > 0) ?? 0;
  if (count === least) return null;
  let below = 0;
  return counts.map((one) => {
    below += one;
    return Math.max(0, below - least) / (count - least);
  });
}
