import { pairLabel } from '../../../../preload/contract/label-pairs.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { Statistics } from '../../../../preload/contract/schema/statistics.ts';

export interface LabelOutcome {
  readonly label: Label;
  readonly count: number;
  readonly becomes: 'same' | 'gone' | 'lacking';
  /** Attribute that the project's label of the same name lacks, which prevents adding it automatically. */
  readonly attribute?: string;
}

export function outcomesOf(
  own: readonly Label[],
  there: readonly Label[],
  counted: Statistics,
): readonly LabelOutcome[] {
  return own.map((label) => {
    const kinds = counted.labels.find(({ id }) => id === label.id)?.kinds ?? [];
    const count = kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0);
    const lacking = pairLabel(label, there, { labels: new Map(), attributes: new Map() });
    if (lacking === null) return { label, count, becomes: 'same' };
    if (count === 0) return { label, count, becomes: 'gone' };
    const isNamed = there.some(({ name }) => name === label.name);
    const attribute = lacking.kind === 'attribute' ? lacking.attribute : lacking.type;
    return { label, count, becomes: 'lacking', ...(isNamed ? { attribute } : {}) };
  });
}
