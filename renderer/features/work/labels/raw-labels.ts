import { z } from 'zod';
import { labelWriteSchema } from '../../../../preload/contract/schema/labels.ts';
import { labelDraft, writeOfLabel, type LabelDraft } from './label-draft.ts';

export const rawOfDrafts = (drafts: readonly LabelDraft[]): string => JSON.stringify(drafts.map(writeOfLabel), null, 2);

type RawResult =
  | { readonly ok: true; readonly drafts: LabelDraft[] }
  | { readonly ok: false; readonly syntax: string }
  | { readonly ok: false; readonly problems: readonly string[] };

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Parses the raw tab. Problems name the position, for example `[2].attributes[0].name`. */
export function draftsOfRaw(text: string): RawResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, syntax: error instanceof Error ? error.message : String(error) };
  }
  const parsed = z.array(labelWriteSchema).safeParse(value);
  if (parsed.success) return { ok: true, drafts: parsed.data.map(labelDraft) };
  return { ok: false, problems: parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`) };
}
