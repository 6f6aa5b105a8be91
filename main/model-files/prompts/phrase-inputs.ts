import type { PromptHead } from '../../../preload/contract/schema/model-files.ts';
import type { OnnxFacts } from '../onnx/read-onnx.ts';
import { RuntimeProblem } from '../runtime/runtime-process.ts';
import type { Tensor } from '../tensor.ts';
import type { TextTokenizer } from './tokenizer.ts';

/** Phrases of a call, as token numbers. */
export interface PhraseInputs {
  readonly phrases: readonly string[];
  /** First token and the token behind the last one of each phrase in the sentence; empty for models with a row each. */
  readonly spans: readonly (readonly [number, number])[];
  readonly feeds: Readonly<Record<string, Tensor>>;
}

/** Tokens that Grounding DINO's text encoder takes, and the columns of its scores. */
const mostTokens = 256;
/** Length of OWL's phrases, which are padded. */
const owlTokens = 16;

export function phraseInputs(
  head: PromptHead,
  facts: OnnxFacts,
  tokenizer: TextTokenizer,
  given: readonly string[],
): PhraseInputs {
  const phrases = [...new Set(given.map((phrase) => phrase.trim()).filter(Boolean))];
  if (phrases.length === 0) throw new RuntimeProblem('There is no phrase to look for. Enter at least one.', 'invalid');
  return head === 'owl' ? rowsOf(facts, tokenizer, phrases) : sentenceOf(facts, tokenizer, phrases);
}

/** One row of a fixed length for each phrase. */
function rowsOf(facts: OnnxFacts, tokenizer: TextTokenizer, phrases: readonly string[]): PhraseInputs {
  const declared = facts.inputs.find(({ name }) => name === 'input_ids')?.dimensions?.at(-1);
  const length = typeof declared === 'number' ? declared : owlTokens;
  const rows = phrases.map((phrase) => {
    const ids = tokenizer.encode(phrase);
    if (ids.length > length) {
      throw new RuntimeProblem(
        `The phrase "${phrase}" has ${ids.length} tokens; the model takes ${length}. Shorten it.`,
        'invalid',
      );
    }
    return ids;
  });
  const padded = (of: (ids: readonly number[], place: number) => number) =>
    rows.flatMap((ids) => Array.from({ length }, (_, place) => (place < ids.length ? of(ids, place) : 0)));
  const dims = [phrases.length, length];
  const feeds = feedsFor(facts, {
    input_ids: { dims, values: padded((ids, place) => ids[place] ?? 0) },
    attention_mask: { dims, values: padded(() => 1) },
  });
  return { phrases, spans: [], feeds };
}

/** One sentence with all phrases in lower case, separated and ended by points. */
function sentenceOf(facts: OnnxFacts, tokenizer: TextTokenizer, phrases: readonly string[]): PhraseInputs {
  const [first, last] = [tokenizer.encode('').at(0), tokenizer.encode('').at(-1)];
  const point = tokenizer.encode('.', false);
  const ids: number[] = first === undefined ? [] : [first];
  const separators: number[] = [0];
  const spans: [number, number][] = [];
  for (const phrase of phrases) {
    // A point would end the phrase.
    const own = tokenizer.encode(phrase.toLowerCase().replaceAll('.', ' ').trim(), false);
    spans.push([ids.length, ids.length + own.length]);
    ids.push(...own);
    separators.push(ids.length);
    ids.push(...point);
  }
  if (last !== undefined) {
    separators.push(ids.length);
    ids.push(last);
  }
  if (ids.length > mostTokens) {
    throw new RuntimeProblem(
      `The phrases have ${ids.length} tokens; the model takes ${mostTokens}. Look for fewer at once.`,
      'invalid',
    );
  }
  const { positions, mask } = blocksOf(ids.length, separators);
  const dims = [1, ids.length];
  const square = { dims: [1, ids.length, ids.length], values: mask };
  const feeds = feedsFor(facts, {
    input_ids: { dims, values: ids },
    attention_mask: { dims, values: ids.map(() => 1) },
    token_type_ids: { dims, values: ids.map(() => 0) },
    position_ids: { dims, values: positions },
    text_token_mask: square,
    text_self_attention_masks: square,
  });
  return { phrases, spans, feeds };
}

/** Tokens see only their own phrase and its separator, and are counted from its beginning. */
function blocksOf(count: number, separators: readonly number[]) {
  const positions = Array.from({ length: count }, () => 0);
  const mask = Array.from({ length: count * count }, (_, place) =>
    Math.floor(place / count) === place % count ? 1 : 0,
  );
  let before = 0;
  for (const end of separators) {
    // The tokens that begin and end the sentence are separators without a phrase.
    const rows = end === 0 || end === count - 1 ? 0 : end - before;
    for (let row = before + 1; row <= before + rows; row += 1) {
      positions[row] = row - before - 1;
      for (let column = before + 1; column <= end; column += 1) mask[row * count + column] = 1;
    }
    before = end;
  }
  return { positions, mask };
}

interface Values {
  readonly dims: readonly number[];
  readonly values: readonly number[];
}

/** Tensors of the declared types for the inputs that the model has. */
function feedsFor(facts: OnnxFacts, known: Readonly<Record<string, Values>>): Record<string, Tensor> {
  return Object.fromEntries(
    facts.inputs.flatMap(({ name, type }): [string, Tensor][] => {
      const found = known[name];
      if (found === undefined) return [];
      const { dims, values } = found;
      if (type === 'int32') return [[name, { type, dims, data: Int32Array.from(values) }]];
      if (type === 'bool') return [[name, { type, dims, data: Uint8Array.from(values) }]];
      if (type.startsWith('float')) return [[name, { type, dims, data: Float32Array.from(values) }]];
      return [[name, { type: 'int64', dims, data: BigInt64Array.from(values, BigInt) }]];
    }),
  );
}
