import { numbersOf, outputLike, UnexpectedOutput, type Outputs } from '../tensor.ts';

export interface Line {
  readonly text: string;
  /** Mean of the steps with a character; 0 for an empty line. */
  readonly score: number;
}

/** True for a dictionary with a blank, and with the space that PaddleOCR adds to most dictionaries. */
export const fitsDictionary = (count: number, letters: readonly string[]): boolean =>
  count === letters.length + 1 || count === letters.length + 2;

/** Greedy CTC decoding: the best character of each step, without repetitions and blanks (0). */
export function decodeCtc(outputs: Outputs, letters: readonly string[]): Line[] {
  const tensor = outputLike(outputs, 'characters of lines', ({ dims }) => dims.length === 3);
  const [lines = 0, steps = 0, count = 0] = tensor.dims;
  const all = [...letters, ' '];
  if (!fitsDictionary(count, letters)) {
    throw new UnexpectedOutput(
      `it returned ${count} characters, but its dictionary has ${letters.length}, a blank and at most a space`,
    );
  }
  const values = numbersOf(tensor);
  return Array.from({ length: lines }, (_, line) => decodeLine(values, line * steps * count, steps, count, all));
}

function decodeLine(
  values: ArrayLike<number>,
  start: number,
  steps: number,
  count: number,
  letters: readonly string[],
): Line {
  let [text, sum, kept, before] = ['', 0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const row = start + step * count;
    let best = 0;
    for (let one = 1; one < count; one += 1) if ((values[row + one] ?? 0) > (values[row + best] ?? 0)) best = one;
    if (best !== 0 && best !== before) {
      text += letters[best - 1] ?? '';
      sum += values[row + best] ?? 0;
      kept += 1;
    }
    before = best;
  }
  return { text, score: kept === 0 ? 0 : Math.min(1, Math.max(0, sum / kept)) };
}
