import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { type ImportChoices, makesLabels } from '../../formats/import-choices/import-choices.ts';
import type { Database } from '../../db/open.ts';
import type { IdRepository } from '../intake/id-repository.ts';
import { planLabels, type LabelPlan } from '../intake/label-plan.ts';
import type { LabelOwner, LabelRepository } from '../../work/labels/label-repository.ts';

/**
 * The labels that an import brings with it, by what its file holds and what the person chose: labels that the task
 * lacks, and attributes that its labels lack.
 */
export function wantedLabels(
  found: readonly LabelWrite[],
  present: ReadonlySet<string>,
  { label_mapping, create_labels, unknown_attributes }: ImportChoices,
): LabelWrite[] {
  const wanted = new Map<string, LabelWrite>();
  for (const label of found) {
    const name = label.name ?? '';
    const mapped = label_mapping?.[name];
    if (mapped === null) continue;
    const target = mapped ?? name;
    const isNew = !present.has(target);
    if (isNew && create_labels !== 'all' && !create_labels.includes(name) && !create_labels.includes(target)) continue;
    if (!isNew && unknown_attributes === 'drop') continue;
    const known = wanted.get(target);
    wanted.set(target, known ? merged(known, label) : { ...label, name: target });
  }
  return [...wanted.values()];
}

/** Two labels of the file become one: it has the attributes of both. */
function merged(first: LabelWrite, second: LabelWrite): LabelWrite {
  const names = new Set(first.attributes?.map(({ name }) => name));
  const added = (second.attributes ?? []).filter(({ name }) => !names.has(name));
  const { type: _type, ...rest } = first;
  return {
    ...rest,
    ...(first.type === second.type && first.type !== undefined ? { type: first.type } : {}),
    attributes: [...(first.attributes ?? []), ...added],
  };
}

/** The labels as they will be; null where the import makes none. Their ids are given out, nothing else is written. */
export function planImportLabels(
  { database, labelRows, ids }: { database: Database; labelRows: LabelRepository; ids: IdRepository },
  owner: LabelOwner,
  { found, choices }: { readonly found: readonly LabelWrite[]; readonly choices: ImportChoices },
): LabelPlan | null {
  if (!makesLabels(choices)) return null;
  return database
    .transaction(() => {
      const present = labelRows.list(owner);
      const wanted = wantedLabels(found, new Set(present.map(({ name }) => name)), choices);
      return wanted.length === 0 ? null : planLabels(owner, present, wanted, ids);
    })
    .immediate();
}
