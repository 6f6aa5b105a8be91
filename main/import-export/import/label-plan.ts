import { labelColor } from '../../../preload/contract/colors.ts';
import {
  labelWriteSchema,
  type Attribute,
  type Label,
  type LabelWrite,
} from '../../../preload/contract/schema/labels.ts';
import type { ImportChoices } from '../../formats/import-choices/import-choices.ts';
import { AppError } from '../../platform/errors.ts';
import type { LabelOwner, LabelRepository } from '../../work/tables/label-repository.ts';
import { checkLabels } from '../../work/labels/label-rules.ts';
import type { IdAllocator } from './staging-repository.ts';

/** Labels of a project or task after the import, and the changes to write. All ids are reserved. */
export interface LabelPlan {
  readonly labels: readonly Label[];
  readonly newLabels: readonly Label[];
  /** New attributes of existing labels. */
  readonly newAttributes: readonly { readonly labelId: number; readonly attribute: Attribute }[];
}

type Sublabel = Label['sublabels'][number];

/**
 * Merges wanted labels into existing ones by name. Existing labels are unchanged, except that missing attributes are
 * added.
 * @throws AppError 400 for labels that are invalid in a project.
 */
export function planLabels(
  owner: LabelOwner,
  present: readonly Label[],
  wanted: readonly LabelWrite[],
  ids: IdAllocator,
): LabelPlan {
  const checked = wanted.map(checkedLabel);
  checkLabels(checked);
  const used = new Set(present.map((label) => label.color));
  const byName = new Map(present.map((label) => [label.name, label]));
  const newAttributes: { labelId: number; attribute: Attribute }[] = [];
  const newLabels: Label[] = [];
  const merged = new Map<number, Label>();
  for (const label of checked) {
    const existing = byName.get(label.name ?? '');
    if (!existing) {
      newLabels.push(newLabel(owner, label, used, ids));
      continue;
    }
    const added = missingAttributes(existing, label, ids);
    for (const attribute of added) newAttributes.push({ labelId: existing.id, attribute });
    merged.set(existing.id, { ...existing, attributes: [...existing.attributes, ...added] });
  }
  return { labels: [...present.map((label) => merged.get(label.id) ?? label), ...newLabels], newLabels, newAttributes };
}

/** Labels and attributes that the task lacks, from the file and the user's choices. */
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

/** Merges two labels of the file with the attributes of both. */
function merged(first: LabelWrite, second: LabelWrite): LabelWrite {
  const names = new Set(first.attributes?.map(({ name }) => name));
  const added = (second.attributes ?? []).filter(({ name }) => !names.has(name));
  const { type: _type, ...rest } = first;
  return {
    ...rest,
    type: first.type === second.type && first.type !== undefined ? first.type : undefined,
    attributes: [...(first.attributes ?? []), ...added],
  };
}

/** Runs in the transaction that ends the import. */
export function writeLabelPlan(repository: LabelRepository, owner: LabelOwner, plan: LabelPlan): void {
  const names = new Set(repository.list(owner).map((label) => label.name));
  const taken = plan.newLabels.find((label) => names.has(label.name));
  const gone = plan.newAttributes.some(({ labelId }) => !repository.row(labelId));
  if (taken || gone) throw changedMeanwhile();
  for (const { labelId, attribute } of plan.newAttributes) {
    if (repository.attributes(labelId).some(({ name }) => name === attribute.name)) throw changedMeanwhile();
    repository.insertAttributeWithId(labelId, attribute);
  }
  for (const label of plan.newLabels) {
    repository.insertWithIds(owner, null, label);
    for (const sublabel of label.sublabels) repository.insertWithIds(owner, label.id, sublabel);
  }
}

function changedMeanwhile(): AppError {
  return new AppError(
    'conflict',
    'The labels were changed while the file was read. Nothing was imported; start the import again.',
  );
}

function checkedLabel(label: LabelWrite): LabelWrite {
  const parsed = labelWriteSchema.safeParse(label);
  if (parsed.success && parsed.data.name !== undefined) return parsed.data;
  const name = String(label.name ?? '').slice(0, 80);
  const reason = parsed.error?.issues[0];
  throw new AppError(
    'invalid',
    `Cannot create the label "${name}" (${reason?.path.join('.') ?? 'name'}: ${reason?.message ?? 'missing'}). ` +
      'Nothing was imported; rename it in the file, or create the label first.',
  );
}

function newLabel(owner: LabelOwner, label: LabelWrite, used: Set<string>, ids: IdAllocator): Label {
  const fields = newFields(label, used, ids, label.type ?? 'any', null);
  const sublabels = (label.sublabels ?? []).map((sublabel): Sublabel => ({
    ...newFields(sublabel, used, ids, sublabel.type ?? 'points', fields.id),
    sublabels: [],
  }));
  return { ...fields, sublabels, ...(owner.kind === 'project' ? { project_id: owner.id } : { task_id: owner.id }) };
}

function newFields(
  label: LabelWrite,
  used: Set<string>,
  ids: IdAllocator,
  type: Label['type'],
  parentId: number | null,
): Omit<Label, 'sublabels'> {
  const name = label.name ?? '';
  const color = label.color === undefined || label.color === '' ? labelColor(name, used) : label.color.toLowerCase();
  used.add(color);
  return {
    id: ids.reserve('label', 1),
    name,
    color,
    type,
    attributes: (label.attributes ?? []).map((attribute) => newAttribute(attribute, ids)),
    has_parent: parentId !== null,
    parent_id: parentId,
    svg: label.svg,
  };
}

const newAttribute = (attribute: NonNullable<LabelWrite['attributes']>[number], ids: IdAllocator): Attribute => ({
  ...attribute,
  id: ids.reserve('attribute_spec', 1),
});

function missingAttributes(existing: Label, wanted: LabelWrite, ids: IdAllocator): Attribute[] {
  const names = new Set(existing.attributes.map(({ name }) => name));
  return (wanted.attributes ?? [])
    .filter(({ name }) => !names.has(name))
    .map((attribute) => newAttribute(attribute, ids));
}
