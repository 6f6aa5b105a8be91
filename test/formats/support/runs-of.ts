/** Run lengths of a mask, alternating between pixels outside and inside; the first run is outside. */
export function runsOf(pixels: readonly boolean[]): number[] {
  const runs = [0];
  let current = false;
  for (const pixel of pixels) {
    if (pixel !== current) runs.push(0);
    current = pixel;
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
  }
  return runs;
}
