import type { ImportPreview } from '../../../preload/contract/schema/formats.ts';
import type { OptionValues } from './option-fields.tsx';

export const frameMatchings = ['auto', 'name', 'number', 'order'] as const;
export type FrameMatching = (typeof frameMatchings)[number];

/** Selectable text encodings; the service supports all of the Encoding Standard. */
export const textEncodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
] as const;
export type TextEncoding = (typeof textEncodings)[number];

export type LabelDecision =
  | { readonly kind: 'same' }
  | { readonly kind: 'create' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'map'; readonly to: string };

export interface ImportChoice {
  readonly file: File | null;
  readonly format: string | null;
  readonly mode: 'append' | 'replace';
  readonly masks: 'keep' | 'polygons';
  /** Null for all subsets. */
  readonly subset: string | null;
  readonly matching: FrameMatching;
  readonly encoding: TextEncoding;
  readonly attributes: 'drop' | 'create';
  /** Images that the file has and the task lacks. */
  readonly images: 'skip' | 'add';
  readonly values: OptionValues;
  /** By label of the file; unnamed labels use {@link usualDecision}. */
  readonly labels: Readonly<Record<string, LabelDecision>>;
}

export const firstChoice: ImportChoice = {
  file: null,
  format: null,
  mode: 'append',
  masks: 'keep',
  subset: null,
  matching: 'auto',
  encoding: 'utf-8',
  attributes: 'drop',
  images: 'skip',
  values: {},
  labels: {},
};

type InspectedLabel = ImportPreview['labels'][number];

/** Maps a label to one of the same name (case-insensitive); others are created. */
function usualDecision({ name, known }: InspectedLabel, labels: readonly string[]): LabelDecision {
  if (known) return { kind: 'same' };
  const namesake = labels.find((label) => label.toLowerCase() === name.toLowerCase());
  return namesake === undefined ? { kind: 'create' } : { kind: 'map', to: namesake };
}

export const decisionFor = (choice: ImportChoice, label: InspectedLabel, labels: readonly string[]): LabelDecision =>
  choice.labels[label.name] ?? usualDecision(label, labels);

export function readingOptions({ masks, subset, matching, encoding, values }: ImportChoice): Record<string, unknown> {
  const stated = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined));
  return {
    masks,
    ...(subset === null ? {} : { subset }),
    ...(matching === 'auto' ? {} : { frame_matching: matching }),
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...stated,
  };
}

/** All options in the service's format. Without a preview, labels stay unchanged. */
export function importOptions(
  choice: ImportChoice,
  preview: ImportPreview | null,
  labels: readonly string[],
  isProject = false,
): Record<string, unknown> {
  const decisions = (preview?.labels ?? []).map((label) => [label.name, decisionFor(choice, label, labels)] as const);
  const mapping = decisions.flatMap(([name, decision]): (readonly [string, string | null])[] => {
    if (decision.kind === 'skip') return [[name, null]];
    return decision.kind === 'map' ? [[name, decision.to]] : [];
  });
  const created = decisions.flatMap(([name, { kind }]) => (kind === 'create' ? [name] : []));
  const stated = {
    ...readingOptions(choice),
    ...(mapping.length === 0 ? {} : { label_mapping: Object.fromEntries(mapping) }),
  };
  // A project gets all labels that it lacks.
  if (isProject) return stated;
  return {
    ...stated,
    ...(created.length === 0 ? {} : { create_labels: created }),
    ...(choice.attributes === 'create' ? { unknown_attributes: 'create' } : {}),
    ...(choice.images === 'add' ? { add_images: true } : {}),
  };
}
