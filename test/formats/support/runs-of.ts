/** Lengths of the runs of pixels outside and inside a mask, in turn; the first is of those outside. */
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
