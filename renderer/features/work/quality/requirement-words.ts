import {
  requirementTypes,
  targetMetrics,
  type RequirementItem,
  type RequirementType,
  type TargetMetric,
} from '../../../../preload/contract/schema/quality-requirements.ts';
import { filterFields } from '../../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter } from '../../../../preload/contract/object-filter/filter-logic.ts';
import type { FilterGroup } from '../../../../preload/contract/object-filter/object-filter.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { TextFunction } from '../../../i18n/index.ts';
import { conditionText } from '../../../shared/filter/condition-text.ts';
import { objectWords } from '../../../shared/filter/object-words.ts';

/** Name that the service gives to the base requirement. */
const baseName = 'Base requirement';

export const requirementName = ({ is_base: isBase, name }: RequirementItem, t: TextFunction): string =>
  isBase && name === baseName ? t('requirements.base') : name;

const baseMetrics = ['accuracy', 'precision', 'recall', 'jaccard_index', 'dice'] as const;

/** A metric as in "Mean recall". */
export function metricText(metric: TargetMetric, t: TextFunction): string {
  const base = baseMetrics.find((one) => metric.endsWith(one)) ?? 'accuracy';
  const name = t(`requirements.metrics.${base}`);
  if (metric.startsWith('mean_')) return t('requirements.meanOf', { name });
  return metric.startsWith('label_') ? t('requirements.worstOf', { name }) : name;
}

export const metricChoices = (t: TextFunction) =>
  targetMetrics.map((value) => ({ value, label: metricText(value, t) }));

export const typeText = (type: RequirementType, t: TextFunction): string =>
  type === 'skeleton_keypoint' ? t('requirements.keypoint') : t(`annotate.shape.${type}`);

export const typeChoices = (t: TextFunction) => requirementTypes.map((value) => ({ value, label: typeText(value, t) }));

export const objectFields = (labels: readonly Label[], t: TextFunction) => ({
  byName: filterFields(labels),
  words: objectWords(t),
});

/** A stored filter; null if it is empty or the form cannot show it. */
export function groupOf(filter: string, labels: readonly Label[]): FilterGroup | null {
  if (filter.trim() === '') return null;
  try {
    return readFilter(JSON.parse(filter), filterFields(labels));
  } catch {
    return null;
  }
}

export function filterSentence(filter: string, labels: readonly Label[], t: TextFunction): string {
  if (filter.trim() === '') return '';
  const group = groupOf(filter, labels);
  if (group === null) return filter;
  const known = objectFields(labels, t);
  if (group.join !== 'all') {
    const { about, rest } = conditionText(group, known, t);
    return `${about}: ${rest}`;
  }
  return group.of
    .map((condition) => conditionText(condition, known, t))
    .map(({ about, rest }) => `${about} ${rest}`)
    .join(', ');
}

/** Objects that a requirement compares, for its line in the list. */
export function scopeText(item: RequirementItem, labels: readonly Label[], t: TextFunction): string {
  const { annotation_type: type, filter, is_base: isBase } = item;
  const parts = [type === null || type === '' ? '' : typeText(type, t), filterSentence(filter, labels, t)].filter(
    (part) => part !== '',
  );
  if (!item.enabled) return t('requirements.off');
  if (parts.length > 0) return parts.join(', ');
  return isBase ? t('requirements.everything') : t('requirements.asParent');
}
