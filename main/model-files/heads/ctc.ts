import { numbersOf, outputLike, squeezed, UnexpectedOutput, type Outputs } from '../tensor.ts';

/**
 * Greedy CTC decoding: the best character of each step, without repetitions and blanks (0). The score is the mean of
 * the steps that are kept.
 */
export function decodeCtc(outputs: Outputs, letters: readonly string[]): { text: string; score: number } {
  const tensor = outputLike(outputs, 'characters of a line', ({ dims }) => squeezed(dims, 2).length === 2);
  const [steps = 0, count = 0] = squeezed(tensor.dims, 2);
  // PaddleOCR adds a space behind most dictionaries, without writing it.
  const all = count === letters.length + 2 ? [...letters, ' '] : letters;
  if (count !== all.length + 1) {
    throw new UnexpectedOutput(
      `it returned ${count} characters, but its dictionary has ${letters.length}, a blank and at most a space`,
    );
  }
  const values = numbersOf(tensor);
  let [text, sum, kept, before] = ['', 0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    let best = 0;
    const start = step * count;
    for (let one = 1; one < count; one += 1) if ((values[start + one] ?? 0) > (values[start + best] ?? 0)) best = one;
    if (best !== 0 && best !== before) {
      text += all[best - 1] ?? '';
      sum += values[start + best] ?? 0;
      kept += 1;
    }
    before = best;
  }
  return { text, score: kept === 0 ? 0 : Math.min(1, Math.max(0, sum / kept)) };
}
