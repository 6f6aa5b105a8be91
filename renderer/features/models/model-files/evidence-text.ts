import en from '../../../i18n/en.json' with { type: 'json' };
import { useText, type TextFunction } from '../../../i18n/index.ts';
import { sentenceReader } from '../../../i18n/sentences.ts';

const read = sentenceReader(en.modelEvidence);

/** A sentence about the reading of a model in the user's language; unknown ones stay unchanged. */
export function evidenceText(t: TextFunction, sentence: string): string {
  for (const { key, values } of read(sentence)) {
    const { words } = values;
    const inner = words === undefined ? {} : { words: evidenceText(t, words) };
    // The placeholders come from the sentence's pattern, which types cannot express.
    const say = t as unknown as (key: string, given: Readonly<Record<string, string>>) => string;
    return say(`modelEvidence.${key}`, { ...values, ...inner });
  }
  return sentence;
}

export function useEvidenceText(): (sentence: string) => string {
  const t = useText();
  return (sentence) => evidenceText(t, sentence);
}
