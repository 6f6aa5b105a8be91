import { createInsert, createUpdate, number, optionalNumber, text, type PartOf, type RowOf } from '../../db/columns.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../accounts/present.ts';

export const organizationColumns = {
  id: number(),
  slug: text('new', 'change', 'plain', 'event'),
  name: text('new', 'change', 'plain', 'event'),
  description: text('new', 'change', 'plain', 'event'),
  /** JSON object. */
  contact: text('new', 'change', 'event'),
  owner_id: optionalNumber('new', 'change', 'event'),
  created_date: text(),
  updated_date: text('event'),
};

export type OrganizationRow = RowOf<typeof organizationColumns>;
export type OrganizationChange = Partial<PartOf<typeof organizationColumns, 'change'>>;

const select = `organization.*, ${userColumns('owner', 'owner')}`;
const from = 'organization LEFT JOIN user owner ON owner.id = organization.owner_id';

export const organizationList: ListDefinition = {
  select,
  from,
  fields: {
    ...equalFields('organization', { text: ['slug', 'name'] }),
    id: { sql: 'organization.id', type: 'number' },
    owner: { sql: 'owner.username', type: 'text', equality: true },
  },
  search: ['name', 'owner', 'slug'],
  sort: '-id',
};

export type OrganizationRepository = ReturnType<typeof createOrganizationRepository>;

export function createOrganizationRepository(database: Store) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE organization.id = +?`);
  const bySlug = database.query('SELECT id FROM organization WHERE slug = +?');
  const remove = database.query('DELETE FROM organization WHERE id = +?');
  const projects = database.query('SELECT id FROM project WHERE organization_id = +? ORDER BY id').pluck();
  const tasks = database.query('SELECT id FROM task WHERE organization_id = +? ORDER BY id').pluck();

  return {
    get: (id: number) => one.get(id) as OrganizationRow | undefined,
    idOfSlug: (slug: string) => (bySlug.get(slug) as { id: number } | undefined)?.id,
    insert: createInsert(database, 'organization', organizationColumns),
    ...createUpdate(database, 'organization', organizationColumns),
    remove: (id: number) => void remove.run(id),
    projectIds: (id: number) => projects.all(id) as number[],
    taskIds: (id: number) => tasks.all(id) as number[],
  };
}
