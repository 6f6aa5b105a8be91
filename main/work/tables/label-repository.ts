import type { Attribute, InputType, Label, LabelType } from '../../../preload/contract/schema/labels.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';

/** The project or task that labels belong to; a task inside a project uses the project's. */
export interface LabelOwner {
  readonly kind: 'project' | 'task';
  readonly id: number;
}

export const labelOwner = (projectId: number | null, taskId: number): LabelOwner =>
  projectId === null ? { kind: 'task', id: taskId } : { kind: 'project', id: projectId };

export interface LabelRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly task_id: number | null;
  readonly parent_id: number | null;
  readonly name: string;
  readonly color: string;
  readonly type: LabelType;
  readonly svg: string | null;
}

type LabelFields = Pick<LabelRow, 'name' | 'color' | 'type' | 'svg'>;

interface AttributeRow {
  readonly id: number;
  readonly label_id: number;
  readonly name: string;
  readonly mutable: number;
  readonly input_type: InputType;
  readonly default_value: string;
  readonly values: string;
}

export interface AttributeFields {
  readonly name: string;
  readonly mutable: boolean;
  readonly input_type: InputType;
  readonly default_value: string;
  readonly values: readonly string[];
}

export const labelList: ListDefinition = {
  select: 'label.*',
  from: `label
    LEFT JOIN label parent ON parent.id = label.parent_id
    LEFT JOIN project ON project.id = label.project_id
    LEFT JOIN task ON task.id = label.task_id`,
  fields: {
    ...equalFields('label', { text: ['name', 'color', 'type'], number: ['parent_id'] }),
    id: { sql: 'label.id', type: 'number' },
    parent: { sql: 'parent.name', type: 'text', equality: true },
  },
  search: ['name', 'parent'],
  sort: 'id',
};

export type LabelRepository = ReturnType<typeof createLabelRepository>;

export function createLabelRepository(database: Store) {
  const byOwner = {
    project: database.query('SELECT * FROM label WHERE project_id = +? ORDER BY id'),
    task: database.query('SELECT * FROM label WHERE task_id = +? ORDER BY id'),
  };
  const one = database.query('SELECT * FROM label WHERE id = +?');
  const attributesOf = database.query('SELECT * FROM attribute_spec WHERE label_id = +? ORDER BY id');
  const ofOwner = (column: 'project_id' | 'task_id') =>
    database.query(
      `SELECT * FROM attribute_spec WHERE label_id IN (SELECT id FROM label WHERE ${column} = +?) ORDER BY id`,
    );
  const attributesOfOwner = { project: ofOwner('project_id'), task: ofOwner('task_id') };
  const childrenOfAll = database.query(
    'SELECT * FROM label WHERE parent_id IN (SELECT value FROM json_each(+?)) ORDER BY id',
  );
  const attributesOfAll = database.query(
    'SELECT * FROM attribute_spec WHERE label_id IN (SELECT value FROM json_each(+?)) ORDER BY id',
  );
  // Without an id the row gets a new one.
  const insertLabel = database.query(
    'INSERT INTO label (id, project_id, task_id, parent_id, name, color, type, svg) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertAttribute = database.query(
    `INSERT INTO attribute_spec (id, label_id, name, mutable, input_type, default_value, "values")
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateLabel = database.query('UPDATE label SET name = ?, color = ?, type = ?, svg = ? WHERE id = +?');
  const removeLabel = database.query('DELETE FROM label WHERE id = +?');
  const removeAttribute = database.query('DELETE FROM attribute_spec WHERE id = +?');
  const updateAttribute = database.query(
    'UPDATE attribute_spec SET name = ?, mutable = ?, input_type = ?, default_value = ?, "values" = ? WHERE id = +?',
  );

  const insert = (
    { kind, id: ownerId }: LabelOwner,
    parentId: number | null,
    { name, color, type, svg }: LabelFields,
    id: number | null = null,
  ): number => {
    const place = [kind === 'project' ? ownerId : null, kind === 'task' ? ownerId : null, parentId];
    return Number(insertLabel.run(id, ...place, name, color, type, svg).lastInsertRowid);
  };
  const valuesOf = ({ name, mutable, input_type, default_value, values }: AttributeFields) =>
    [name, mutable ? 1 : 0, input_type, default_value, JSON.stringify(values)] as const;
  const insertAttributeWithId = (labelId: number, attribute: Attribute): void =>
    void insertAttribute.run(attribute.id, labelId, ...valuesOf(attribute));

  const toAttribute = (row: AttributeRow): Attribute => ({
    id: row.id,
    name: row.name,
    mutable: row.mutable === 1,
    input_type: row.input_type,
    default_value: row.default_value,
    values: JSON.parse(row.values) as string[],
  });
  const attributes = (labelId: number): Attribute[] => (attributesOf.all(labelId) as AttributeRow[]).map(toAttribute);

  const groupedAttributes = (rows: readonly AttributeRow[]): typeof attributes => {
    const byLabel = Map.groupBy(rows, (row) => row.label_id);
    return (id) => (byLabel.get(id) ?? []).map(toAttribute);
  };

  const fields = (row: LabelRow, attributesOfLabel: typeof attributes) => ({
    id: row.id,
    name: row.name,
    color: row.color,
    attributes: attributesOfLabel(row.id),
    type: row.type,
    svg: row.svg ?? undefined,
    has_parent: row.parent_id !== null,
  });

  /**
   * CVAT's SDK requires `parent_id` of every label, null for a top-level one; sublabels inside their parent have none.
   * @param among candidates for its sublabels
   */
  const present = (row: LabelRow, among: readonly LabelRow[], attributesOfLabel = attributes): Label => ({
    ...fields(row, attributesOfLabel),
    parent_id: row.parent_id,
    sublabels: among.filter((child) => child.parent_id === row.id).map((child) => fields(child, attributesOfLabel)),
    project_id: row.project_id ?? undefined,
    task_id: row.task_id ?? undefined,
  });

  return {
    rows: (owner: LabelOwner) => byOwner[owner.kind].all(owner.id) as LabelRow[],
    row: (id: number) => one.get(id) as LabelRow | undefined,
    attributes,
    /** Top-level labels in order of creation, each with attributes and sublabels. */
    list(owner: LabelOwner): Label[] {
      const children = Map.groupBy(byOwner[owner.kind].all(owner.id) as LabelRow[], (row) => row.parent_id);
      const attributesOfLabel = groupedAttributes(attributesOfOwner[owner.kind].all(owner.id) as AttributeRow[]);
      return (children.get(null) ?? []).map((row) => present(row, children.get(row.id) ?? [], attributesOfLabel));
    },
    present,
    /** Presents the labels of a page with two queries, independent of their number. */
    presentAll(rows: readonly LabelRow[]): Label[] {
      const ids = (labels: readonly LabelRow[]) => JSON.stringify(labels.map(({ id }) => id));
      const below = childrenOfAll.all(ids(rows)) as LabelRow[];
      const children = Map.groupBy(below, (row) => row.parent_id);
      const all = attributesOfAll.all(ids([...rows, ...below])) as AttributeRow[];
      const attributesOfLabel = groupedAttributes(all);
      return rows.map((row) => present(row, children.get(row.id) ?? [], attributesOfLabel));
    },
    insert,
    update: (id: number, { name, color, type, svg }: LabelFields): void =>
      void updateLabel.run(name, color, type, svg, id),
    remove: (id: number): void => void removeLabel.run(id),
    /** Inserts a label with its earlier ids, without its sublabels. */
    insertWithIds(
      owner: LabelOwner,
      parentId: number | null,
      label: Omit<Label, 'sublabels' | 'has_parent' | 'parent_id'>,
    ): void {
      insert(owner, parentId, { ...label, svg: label.svg ?? null }, label.id);
      for (const attribute of label.attributes) insertAttributeWithId(label.id, attribute);
    },
    insertAttributeWithId,
    insertAttribute: (labelId: number, attribute: AttributeFields): void =>
      void insertAttribute.run(null, labelId, ...valuesOf(attribute)),
    removeAttribute: (id: number): void => void removeAttribute.run(id),
    updateAttribute: (id: number, attribute: AttributeFields): void =>
      void updateAttribute.run(...valuesOf(attribute), id),
  };
}
