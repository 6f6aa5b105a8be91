import type { ListDefinition } from '../../db/filters.ts';
import type { Database } from '../../db/open.ts';
import { userColumns } from '../users/present.ts';

export interface OrganizationRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** JSON object. */
  readonly contact: string;
  readonly owner_id: number | null;
  readonly created_date: string;
  readonly updated_date: string;
}

export type NewOrganization = Omit<OrganizationRow, 'id' | 'updated_date'>;

const select = `organization.*, ${userColumns('owner', 'owner')}`;
const from = 'organization LEFT JOIN user owner ON owner.id = organization.owner_id';

export const organizationList: ListDefinition = {
  select,
  from,
  fields: {
    id: { sql: 'organization.id', type: 'number' },
    slug: { sql: 'organization.slug', type: 'text', equality: true },
    name: { sql: 'organization.name', type: 'text', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
  },
  search: ['name', 'owner', 'slug'],
  sort: '-id',
};

const changeable = ['slug', 'name', 'description', 'contact', 'owner_id'] as const;
export type OrganizationChange = Partial<Pick<OrganizationRow, (typeof changeable)[number]>>;

export type OrganizationRepository = ReturnType<typeof createOrganizationRepository>;

export function createOrganizationRepository(database: Database) {
  const one = database.prepare(`SELECT ${select} FROM ${from} WHERE organization.id = ?`);
  const bySlug = database.prepare('SELECT id FROM organization WHERE slug = ?');
  const insert = database.prepare(
    `INSERT INTO organization (slug, name, description, contact, owner_id, created_date, updated_date)
     VALUES (@slug, @name, @description, @contact, @owner_id, @created_date, @created_date)`,
  );
  const touch = database.prepare('UPDATE organization SET updated_date = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM organization WHERE id = ?');
  const projects = database.prepare('SELECT id FROM project WHERE organization_id = ? ORDER BY id');
  const tasks = database.prepare('SELECT id FROM task WHERE organization_id = ? ORDER BY id');
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE organization SET ${column} = ? WHERE id = ?`)]),
  );
  const ids = (rows: unknown[]): number[] => (rows as { id: number }[]).map((row) => row.id);

  return {
    get: (id: number) => one.get(id) as OrganizationRow | undefined,
    idOfSlug: (slug: string) => (bySlug.get(slug) as { id: number } | undefined)?.id,
    insert: (organization: NewOrganization) => Number(insert.run(organization).lastInsertRowid),
    update(id: number, change: OrganizationChange, date: string): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      touch.run(date, id);
    },
    remove: (id: number) => void remove.run(id),
    projectIds: (id: number) => ids(projects.all(id)),
    taskIds: (id: number) => ids(tasks.all(id)),
  };
}
