import { longestDrawing } from '../../../../preload/contract/schema/labels.ts';
import type { TextFunction } from '../../../i18n/index.ts';
import { attributeProblems, repeated } from '../attribute-problems.ts';
import { attributeDraft, type LabelDraft } from '../label-draft.ts';

/** What keeps a skeleton's points from being saved, as sentences. A saved one without points is as it is. */
export function skeletonProblems({ id, name, carried }: LabelDraft, t: TextFunction): string[] {
  const { svg = '', sublabels: points = [] } = carried;
  const label = name.trim();
  if (points.length === 0) return id === undefined ? [t('skeleton.problems.noPoints', { label })] : [];
  const names = points.map((point) => (point.name ?? '').trim());
  const nameless = names.indexOf('');
  const long = names.findIndex((one) => one.length > 64);
  const twice = repeated(names);
  return [
    ...(nameless < 0 ? [] : [t('skeleton.problems.noName', { label, number: nameless + 1 })]),
    ...(long < 0 ? [] : [t('skeleton.problems.longName', { label, number: long + 1 })]),
    ...(twice === undefined ? [] : [t('skeleton.problems.twice', { label, name: twice })]),
    ...(svg.length > longestDrawing ? [t('skeleton.problems.tooLarge', { label })] : []),
    ...points.flatMap(({ attributes = [] }, index) =>
      attributeProblems(`${label} · ${names[index]}`, attributes.map(attributeDraft), t),
    ),
  ];
}
