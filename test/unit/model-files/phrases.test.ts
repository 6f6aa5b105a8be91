import { expect, test } from 'vitest';
import { decodePhrases } from '../../../main/model-files/heads/phrases.ts';
import type { OnnxFacts } from '../../../main/model-files/onnx/read-onnx.ts';
import { phraseInputs } from '../../../main/model-files/prompts/phrase-inputs.ts';
import { descriptionOf, inputOf } from '../../../main/model-files/recognise/reading.ts';

const input = (name: string, type: string, dimensions: readonly (number | string)[]) => ({ name, type, dimensions });
const factsOf = (inputs: OnnxFacts['inputs']): OnnxFacts => ({
  producer: '',
  operatorSet: 17,
  nodeCount: 1,
  inputs,
  outputs: [],
  metadata: {},
});

/** Numbers words by their length; 101 and 102 begin and end a text, 1 is the point. */
const tokenizer = {
  encode: (text: string, withSpecial = true) => {
    const words = text.match(/[a-z]+|\./gi) ?? [];
    const ids = words.map((word) => (word === '.' ? 1 : word.length + 10));
    return withSpecial ? [101, ...ids, 102] : ids;
  },
};

test('the sentence of Grounding DINO lets tokens see only their own phrase', () => {
  const facts = factsOf([
    input('input_ids', 'int64', ['batch', 'seq']),
    input('attention_mask', 'bool', ['batch', 'seq']),
    input('position_ids', 'int64', ['batch', 'seq']),
    input('token_type_ids', 'int64', ['batch', 'seq']),
    input('text_token_mask', 'bool', ['batch', 'seq', 'seq']),
  ]);
  const { feeds, spans, phrases } = phraseInputs('grounding-dino', facts, tokenizer, [
    'Red car',
    ' dog. ',
    'Red car',
    '',
  ]);
  expect(phrases).toEqual(['Red car', 'dog.']);
  expect(spans).toEqual([
    [1, 3],
    [4, 5],
  ]);
  const numbers = (name: string) => Array.from(feeds[name]!.data, Number);
  expect(numbers('input_ids')).toEqual([101, 13, 13, 1, 13, 1, 102]);
  expect(numbers('attention_mask')).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(numbers('position_ids')).toEqual([0, 0, 1, 2, 0, 1, 0]);
  const mask = numbers('text_token_mask');
  const rows = Array.from({ length: 7 }, (_, row) => mask.slice(row * 7, row * 7 + 7).join(''));
  expect(rows).toEqual(['1000000', '0111000', '0111000', '0111000', '0000110', '0000110', '0000001']);
});

test('the phrases of OWL are rows of 16 tokens, padded with zeros, and longer ones are refused', () => {
  const facts = factsOf([input('input_ids', 'int64', ['texts', 16]), input('attention_mask', 'int64', ['texts', 16])]);
  const { feeds, spans } = phraseInputs('owl', facts, tokenizer, ['red car', 'dog']);
  expect(spans).toEqual([]);
  expect(feeds['input_ids']!.dims).toEqual([2, 16]);
  expect(Array.from(feeds['input_ids']!.data, Number).slice(16, 21)).toEqual([101, 13, 102, 0, 0]);
  expect(Array.from(feeds['attention_mask']!.data, Number).slice(0, 6)).toEqual([1, 1, 1, 1, 0, 0]);
  const long = Array.from({ length: 15 }, () => 'word').join(' ');
  expect(() => phraseInputs('owl', facts, tokenizer, [long])).toThrow(/has 17 tokens; the model takes 16/);
});

test('boxes of OWL are named by the phrase with the highest score, in shares of the padded square', () => {
  const image = inputOf(
    {
      name: 'pixel_values',
      type: 'float32',
      layout: 'NCHW',
      width: 100,
      height: 100,
      batch: 1,
      isLayoutDeclared: true,
    },
    100,
    { fit: 'corner' },
  );
  const description = descriptionOf('owl', image, {
    threshold: 0.1,
    output: { boxes: 'cxcywh', unit: 'share', scores: 'sigmoid' },
  });
  const logit = (score: number) => Math.log(score / (1 - score));
  const found = decodePhrases({
    outputs: {
      logits: { type: 'float32', dims: [1, 2, 2], data: Float32Array.from([0.2, 0.75, 0.05, 0.01].map(logit)) },
      objectness_logits: { type: 'float32', dims: [1, 2], data: new Float32Array(2) },
      pred_boxes: { type: 'float32', dims: [1, 2, 4], data: Float32Array.from([0.5, 0.25, 0.5, 0.25, 0, 0, 1, 1]) },
    },
    description,
    // 400 × 200 pixels in the upper half of the square.
    placing: { scaleX: 0.25, scaleY: 0.25, offsetX: 0, offsetY: 0, width: 100, height: 100 },
    width: 400,
    height: 200,
    threshold: 0.1,
    prompt: { phrases: ['red car', 'dog'], spans: [] },
  });
  expect(found).toEqual([{ label: 'dog', confidence: '0.75', type: 'rectangle', points: [100, 50, 300, 150] }]);
});
