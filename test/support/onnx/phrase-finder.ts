import { buildModel } from './build-model.ts';

/** Vocabulary of word pieces, one per line, in the order of their numbers. */
export const pieces: readonly string[] = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '.',
  'red',
  'green',
  'square',
  'hel',
  '##met',
];

const side = 64;

/**
 * Grounding DINO's form with three boxes. Token 6 ("green") of the sentence raises the score of its place in the second
 * box to 0.9, token 9 ("##met") that in the third one to 0.8. The first box has no score.
 */
export function phraseFinder(): Buffer {
  const boxes = Float32Array.from([0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.25, 0.75, 0.25, 0.5, 0.5]);
  const logit = (score: number) => Math.log(score / (1 - score));
  return buildModel({
    inputs: [
      { name: 'pixel_values', dims: ['batch', 3, side, side] },
      { name: 'input_ids', type: 'int64', dims: ['batch', 'tokens'] },
      { name: 'token_type_ids', type: 'int64', dims: ['batch', 'tokens'] },
      { name: 'attention_mask', type: 'int64', dims: ['batch', 'tokens'] },
    ],
    outputs: [
      { name: 'logits', dims: ['batch', 3, 'columns'] },
      { name: 'pred_boxes', dims: ['batch', 3, 4] },
    ],
    weights: [
      { name: 'boxes', dims: [1, 3, 4], values: boxes },
      { name: 'wanted', dims: [1, 3, 1], values: BigInt64Array.from([-1n, 6n, 9n]) },
      { name: 'row', dims: [1], values: BigInt64Array.from([1n]) },
      { name: 'raise', dims: [1, 3, 1], values: Float32Array.from([0, logit(0.9) + 5, logit(0.8) + 5]) },
      { name: 'low', dims: [], values: Float32Array.from([-5]) },
      { name: 'zero', dims: [], values: Float32Array.from([0]) },
    ],
    nodes: [
      { operator: 'Unsqueeze', inputs: ['input_ids', 'row'], outputs: ['tokens'] },
      { operator: 'Equal', inputs: ['tokens', 'wanted'], outputs: ['is'] },
      { operator: 'Cast', inputs: ['is'], outputs: ['hits'], attributes: { to: 1 } },
      { operator: 'Mul', inputs: ['hits', 'raise'], outputs: ['raised'] },
      { operator: 'Add', inputs: ['raised', 'low'], outputs: ['scored'] },
      { operator: 'ReduceMean', inputs: ['pixel_values'], outputs: ['mean'], attributes: { keepdims: 0 } },
      { operator: 'Mul', inputs: ['mean', 'zero'], outputs: ['nothing'] },
      { operator: 'Add', inputs: ['scored', 'nothing'], outputs: ['logits'] },
      { operator: 'Identity', inputs: ['boxes'], outputs: ['pred_boxes'] },
    ],
  });
}
