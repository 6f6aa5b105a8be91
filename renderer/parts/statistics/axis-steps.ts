/** The most lines across a plot. */
const mostLines = 3;

/** Round values at which lines cross a plot, and the value at its upper edge. */
export function axisSteps(most: number): { readonly steps: readonly number[]; readonly top: number } {
  if (!(most > 0)) return { steps: [], top: 1 };
  const rough = most / mostLines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.floor(most / step + 1e-9);
  const steps = Array.from({ length: count }, (_, index) => (index + 1) * step);
  return { steps, top: most };
}
