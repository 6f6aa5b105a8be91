import type { TextFunction } from '../../../i18n/index.ts';
import type { LabelDraft } from '../label-draft.ts';

type NamedPoint = { readonly name?: string | undefined };

/** What keeps a skeleton's points from being saved, as sentences. */
export function pointProblems(label: string, points: readonly NamedPoint[], t: TextFunction): string[] {
  if (points.length === 0) return [t('skeleton.problems.noPoints', { label })];
  const names = points.map(({ name = '' }) => name.trim());
  const nameless = names.indexOf('');
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return [
    ...(nameless < 0 ? [] : [t('skeleton.problems.noName', { label, number: nameless + 1 })]),
    ...(twice === undefined ? [] : [t('skeleton.problems.twice', { label, name: twice })]),
  ];
}

/** A saved skeleton is as it is; one that is to be made needs points. */
export const skeletonProblems = ({ id, name, carried }: LabelDraft, t: TextFunction): string[] => {
  const points = carried.sublabels ?? [];
  return id !== undefined && points.length === 0 ? [] : pointProblems(name.trim(), points, t);
};
