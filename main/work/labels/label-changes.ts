import type { Attribute, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { invalidField, notFound, AppError } from '../../platform/errors.ts';
import type { LabelRepository, LabelRow } from '../tables/label-repository.ts';
import { checkAttributeChange } from './label-rules.ts';
import { randomUUID } from 'node:crypto';

export interface LabelChange {
  readonly label: LabelWrite;
  readonly row: LabelRow;
}

/** Changes existing labels, inside the caller's transaction. */
export function createLabelChanges(labels: LabelRepository) {
  /** Annotations no longer show the values of removed attributes. */
  function removeAttributes(labelId: number, listed: NonNullable<LabelWrite['attributes']>): void {
    const known = labels.attributes(labelId);
    for (const { id, name, deleted } of listed) {
      if (deleted !== true) continue;
      // Deleting by name could delete another client's attribute with all of its values.
      if (id === undefined) throw invalidField('attributes', `To delete the attribute "${name}", send its id.`);
      requireKnown(known, id);
      labels.removeAttribute(id);
    }
  }

  /** Matches attributes by id, or by name if no other item of the list has the id of that attribute. */
  function writeAttributes(labelId: number, listed: LabelWrite['attributes'] = []): void {
    removeAttributes(labelId, listed);
    const wanted = listed.filter(({ deleted }) => deleted !== true);
    const known = labels.attributes(labelId);
    const byId = new Map(known.map((one) => [one.id, one]));
    for (const { id } of wanted) if (id !== undefined) requireKnown(known, id);
    const meantById = new Set(wanted.map(({ id }) => id));
    const byName = new Map(known.filter(({ id }) => !meantById.has(id)).map((one) => [one.name, one]));
    const pairs = wanted.map((fields) => ({ fields, existing: byId.get(fields.id ?? 0) ?? byName.get(fields.name) }));
    const names = new Map(pairs.flatMap(({ fields, existing }) => (existing ? [[existing.id, fields.name]] : [])));
    const rename = (attribute: Attribute, name: string) => labels.updateAttribute(attribute.id, { ...attribute, name });
    makeWay({ what: 'attribute', siblings: known, names, rename });
    for (const { fields, existing } of pairs) {
      if (!existing) continue;
      checkAttributeChange(existing, fields);
      labels.updateAttribute(existing.id, fields);
    }
    for (const { fields, existing } of pairs) if (!existing) labels.insertAttribute(labelId, fields);
  }

  function change(row: LabelRow, label: LabelWrite): void {
    const color = label.color === undefined || label.color === '' ? row.color : label.color.toLowerCase();
    const type = label.type ?? row.type;
    if ((row.type === 'skeleton') !== (type === 'skeleton')) {
      throw invalidField('type', 'A label cannot become a skeleton, nor a skeleton another type.');
    }
    labels.update(row.id, { name: label.name ?? row.name, color, type, svg: label.svg ?? row.svg });
    writeAttributes(row.id, label.attributes);
  }

  function changeAll(rows: readonly LabelRow[], wanted: readonly LabelChange[]): void {
    const changes = wanted.flatMap((one) => [one, ...sublabelChanges(rows, one)]);
    for (const parent of new Set(changes.map(({ row }) => row.parent_id))) {
      const siblings = rows.filter((row) => row.parent_id === parent);
      const own = changes.filter(({ row }) => row.parent_id === parent);
      const names = new Map(own.map(({ row, label }) => [row.id, label.name ?? row.name]));
      makeWay({ what: 'label', siblings, names, rename: (row, name) => labels.update(row.id, { ...row, name }) });
    }
    for (const { row, label } of changes) change(row, label);
  }

  /**
   * Changes the points of a skeleton. Points cannot be added or removed, because the drawing and the annotations
   * contain all of them.
   */
  function sublabelChanges(rows: readonly LabelRow[], { label, row }: LabelChange): LabelChange[] {
    const children = rows.filter((child) => child.parent_id === row.id);
    return (label.sublabels ?? []).map((sublabel) => {
      const child = children.find(({ id, name }) =>
        sublabel.id === undefined ? name === sublabel.name : id === sublabel.id,
      );
      if (!child || sublabel.deleted === true) {
        const what = `The points of the skeleton "${row.name}" are fixed`;
        throw invalidField(
          'sublabels',
          `${what}: none can be added or removed ("${sublabel.name ?? sublabel.id ?? ''}").`,
        );
      }
      return { label: sublabel, row: child };
    });
  }

  return { writeAttributes, changeAll };
}

/** @throws AppError 404 */
function requireKnown(known: readonly Attribute[], id: number): void {
  if (!known.some((one) => one.id === id)) throw notFound(`Attribute with id #${id} does not exist`);
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Names of all siblings, and the new names of some of them by id. */
interface Renames<Sibling extends Named> {
  readonly what: 'label' | 'attribute';
  readonly siblings: readonly Sibling[];
  readonly names: ReadonlyMap<number, string>;
  readonly rename: (sibling: Sibling, name: string) => void;
}

/**
 * Prepares a rename: siblings whose name is taken by another one get a temporary name, so that two may swap.
 * @throws AppError if a sibling keeps the name
 */
function makeWay<Sibling extends Named>({ what, siblings, names, rename }: Renames<Sibling>): void {
  const holders = new Map(siblings.map((sibling) => [sibling.name, sibling]));
  for (const [id, name] of names) {
    const holder = holders.get(name);
    if (!holder || holder.id === id) continue;
    if ((names.get(holder.id) ?? name) === name) {
      throw new AppError('invalid', `The ${what} name "${name}" is already in use.`, [
        `All ${what} names must be unique; "${name}" already exists.`,
      ]);
    }
    rename(holder, randomUUID());
  }
}
