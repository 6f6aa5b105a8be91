import { Tokenizer } from '@huggingface/tokenizers';
import { RuntimeProblem } from '../runtime/runtime-process.ts';

export interface TextTokenizer {
  /** Token numbers of a text, by default with those that begin and end it. */
  readonly encode: (text: string, withSpecial?: boolean) => number[];
}

/** @throws Error for a tokenizer that the library does not know */
export function createTokenizer(json: object): TextTokenizer {
  const tokenizer = new Tokenizer(json, {});
  return {
    encode: (text, withSpecial = true) => tokenizer.encode(text, { add_special_tokens: withSpecial }).ids,
  };
}

export const missingTokenizer = (name: string): string =>
  `${name} needs its tokenizer. Add tokenizer.json, vocab.json with merges.txt, or vocab.txt together with the model.`;

/** @throws RuntimeProblem with the name of the model */
export function readTokenizer(name: string, json: object): TextTokenizer {
  try {
    return createTokenizer(json);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RuntimeProblem(
      `Cannot read the tokenizer of ${name}: ${reason}. Add the tokenizer.json of this model.`,
      'invalid',
      cause,
    );
  }
}
