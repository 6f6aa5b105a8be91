import type { TextFunction } from '../../i18n/index.ts';
import { attributeProblems, repeated } from './attribute-problems.ts';
import { skeletonProblems } from './skeleton/template-problems.ts';
import type { LabelDraft } from './label-draft.ts';

/** What keeps the labels from being saved, as sentences; empty when they can be. */
export function labelProblems(labels: readonly LabelDraft[], t: TextFunction): string[] {
  const found: string[] = [];
  const names = labels.map((label) => label.name.trim());
  if (names.includes('')) found.push(t('labels.problems.noName'));
  const twice = repeated(names);
  if (twice !== undefined) found.push(t('labels.problems.duplicate', { name: twice }));
  for (const label of labels) {
    found.push(...attributeProblems(label.name.trim(), label.attributes, t));
    if (label.type === 'skeleton') found.push(...skeletonProblems(label, t));
  }
  return found;
}
