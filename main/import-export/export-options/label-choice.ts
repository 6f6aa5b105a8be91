import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { LabelInfo } from '../../formats/kit/task-data.ts';
import { invalidField } from '../../platform/errors.ts';

export type LabelChoice = ReturnType<typeof createLabelChoice>;

/**
 * Labels to export, and the new label for each of the task's labels.
 * @throws AppError 400 for labels that do not exist or cannot be merged.
 */
export function createLabelChoice(present: readonly LabelInfo[], wanted: DatasetExportOptions['labels']) {
  if (!wanted) {
    const names = new Set(present.map(({ name }) => name));
    return { labels: present, leftOut: [], target: (label: string) => (names.has(label) ? label : null) };
  }
  const known = new Map(present.map((label) => [label.name, label]));
  const targets = new Map<string, string>();
  const labels = new Map<string, LabelInfo>();
  for (const { name, as = name } of wanted) {
    const label = known.get(name);
    if (!label)
      throw invalidField(
        'export_options',
        `Cannot export the label "${name}": it does not exist. Choose an existing label.`,
      );
    if (targets.has(name)) throw invalidField('export_options', `The label "${name}" is listed twice.`);
    targets.set(name, as);
    const same = labels.get(as);
    labels.set(as, same ? united(same, label) : { ...label, name: as });
  }
  return {
    labels: [...labels.values()],
    leftOut: present.map(({ name }) => name).filter((name) => !targets.has(name)),
    target: (label: string): string | null => targets.get(label) ?? null,
  };
}

/** Merges two labels with the attributes of both; for equal names, those of the first. */
function united(first: LabelInfo, second: LabelInfo): LabelInfo {
  if (first.sublabels.length > 0 || second.sublabels.length > 0) {
    throw invalidField(
      'export_options',
      `"${second.name}" cannot become "${first.name}": skeletons have different points. Give it another name.`,
    );
  }
  const names = new Set(first.attributes.map(({ name }) => name));
  return {
    ...first,
    type: first.type === second.type ? first.type : 'any',
    attributes: [...first.attributes, ...second.attributes.filter(({ name }) => !names.has(name))],
  };
}
