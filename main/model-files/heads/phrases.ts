import { numbersOf, outputLike, sigmoid, squeezed } from '../tensor.ts';
import {
  insidePicture,
  placedBox,
  rectangleItem,
  withoutOverlaps,
  type DetectorItem,
  type HeadInput,
  type Scored,
} from './found.ts';

/**
 * Boxes for phrases. Grounding DINO scores every token of the sentence: a phrase has the highest score of its tokens.
 * OWL scores every phrase. The phrase with the highest score names the box.
 */
export function decodePhrases(input: HeadInput): DetectorItem[] {
  const { outputs, description, threshold, prompt } = input;
  if (prompt === undefined) return [];
  const { phrases, spans } = prompt;
  const logits = outputLike(outputs, 'scores', (_, name) => name === 'logits');
  const boxes = outputLike(outputs, 'boxes', (_, name) => name.endsWith('boxes'));
  const [rows = 0, columns = 0] = squeezed(logits.dims, 2);
  const [values, places] = [numbersOf(logits), numbersOf(boxes)];
  const found: Scored[] = [];
  for (let row = 0; row < rows; row += 1) {
    let [label, most] = [-1, Number.NEGATIVE_INFINITY];
    for (const index of phrases.keys()) {
      const [from, to] = spans[index] ?? [index, index + 1];
      for (let column = from; column < Math.min(to, columns); column += 1) {
        const value = values[row * columns + column] ?? Number.NEGATIVE_INFINITY;
        if (value > most) [label, most] = [index, value];
      }
    }
    const score = sigmoid(most);
    if (label < 0 || !(score >= threshold)) continue;
    const at = (part: number) => places[row * 4 + part] ?? 0;
    found.push({ label, score, box: placedBox([at(0), at(1), at(2), at(3)], input) });
  }
  return withoutOverlaps(found, description.overlap).flatMap(({ label, score, box }) => {
    const inside = insidePicture(box, input);
    return inside === null ? [] : [rectangleItem(phrases[label] ?? '', score, inside)];
  });
}
