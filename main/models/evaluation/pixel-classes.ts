/**
 * Compares two label maps of one picture. Values are places of labels; `labels` stands for no label, and what is above
 * is left out where the truth has it, and is no label where the results have it.
 */
export function countPixelClasses(truth: Uint16Array, results: Uint16Array, labels: number): number[][] {
  const side = labels + 1;
  const cells = new Float64Array(side * side);
  for (let at = 0; at < truth.length; at += 1) {
    const wanted = truth[at]!;
    if (wanted <= labels) cells[wanted * side + Math.min(results[at]!, labels)]! += 1;
  }
  return Array.from({ length: side }, (_, row) => [...cells.subarray(row * side, (row + 1) * side)]);
}
