import type { Label } from '../../../preload/contract/schema/labels.ts';
import { AppError } from '../../platform/errors.ts';

export type LabelNames = ReturnType<typeof createLabelNames>;

/** A label of the task, by its name. What it does not have is remembered for one sentence about all of it. */
export interface NamedLabel {
  readonly id: number;
  attribute(name: string): number;
  /** A point of a skeleton. */
  part(name: string): NamedLabel;
}

const shownNames = 10;

/** Labels and attributes of a task: names by id, and ids by name. */
export function createLabelNames(labels: readonly Label[]) {
  const labelNames = new Map<number, string>();
  const attributeNames = new Map<number, string>();
  for (const label of labels.flatMap((one) => [one, ...one.sublabels])) {
    labelNames.set(label.id, label.name);
    for (const { id, name } of label.attributes) attributeNames.set(id, name);
  }
  const missing = new Set<string>();
  const lacks = (what: string): number => {
    missing.add(what);
    return 0;
  };

  function known(label: Pick<Label, 'id' | 'name' | 'attributes'>, parts: Label['sublabels']): NamedLabel {
    return {
      id: label.id,
      attribute: (name) =>
        label.attributes.find((one) => one.name === name)?.id ?? lacks(`attribute "${name}" of "${label.name}"`),
      part(name) {
        const found = parts.find((one) => one.name === name);
        return found ? known(found, []) : unknown(`point "${name}" of "${label.name}"`);
      },
    };
  }
  const unknown = (what: string): NamedLabel => ({ id: lacks(what), attribute: () => 0, part: () => unknown(what) });
  const byName = new Map(labels.map((label) => [label.name, known(label, label.sublabels)]));

  return {
    nameOf: (id: number): string => labelNames.get(id) ?? '',
    attributeOf: (id: number): string => attributeNames.get(id) ?? '',
    find: (name: string): NamedLabel => byName.get(name) ?? unknown(`label "${name}"`),
    /** @throws AppError 409 where something was asked for that is not there */
    requireFound(): void {
      if (missing.size === 0) return;
      const list = [...missing].slice(0, shownNames).join(', ');
      const rest = missing.size > shownNames ? ` and ${missing.size - shownNames} more` : '';
      const message = `The repository has annotations that this task has no labels for: ${list}${rest}. Nothing was changed. Add what is missing to the labels, then try again.`;
      throw new AppError('conflict', message, { detail: message });
    },
  };
}
