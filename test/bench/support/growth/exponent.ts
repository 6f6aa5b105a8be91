/** Exponent k of cost ~ size^k: the slope of a line through the logarithms, by least squares. Null below two points. */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number | null {
  if (points.length < 2) return null;
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (index: 0 | 1) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return slope / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}
