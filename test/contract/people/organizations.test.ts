import { describe, expect, test } from 'vitest';
import { usePeopleHarness } from './people-harness.ts';

const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const stranger = harness.addUser('stranger');

let number = 0;
const newSlug = () => `org-${(number += 1)}`;
const create = (slug = newSlug()) => boss.good('createOrganization', { body: { slug } });

describe('creating an organization', () => {
  test('makes the creator its owner and first member', async () => {
    const organization = await boss.good('createOrganization', {
      body: {
        slug: 'cats',
        name: 'Cat lovers',
        description: 'We annotate cats',
        contact: { email: 'cats@example.org' },
      },
    });
    expect(organization).toMatchObject({
      slug: 'cats',
      name: 'Cat lovers',
      description: 'We annotate cats',
      contact: { email: 'cats@example.org' },
      owner: { id: boss.id, username: 'boss' },
    });
    const members = await boss.good('listMemberships', { query: { org: 'cats' } });
    expect(members.results).toMatchObject([
      { user: { id: boss.id }, role: 'owner', is_active: true, invitation: null, organization: organization.id },
    ]);
    expect(members.results[0]?.joined_date).toBe(organization.created_date);
  });

  test('uses the slug if the name is missing', async () => {
    expect(await create('nameless')).toMatchObject({ name: 'nameless', description: '', contact: {} });
  });

  test.each([
    ['a slug that is taken', { slug: 'cats' }, { slug: ['organization with this slug already exists.'] }],
    ['no slug', {}, { slug: ['This field is required.'] }],
    ['a slug of 17 characters', { slug: 'a'.repeat(17) }, { slug: [expect.stringContaining('16')] }],
    ['a slug with a space', { slug: 'two words' }, { slug: [expect.any(String)] }],
    ['a name of 65 characters', { slug: 'ok', name: 'n'.repeat(65) }, { name: [expect.stringContaining('64')] }],
    ['a contact that is no object', { slug: 'ok', contact: 'me' }, { contact: [expect.any(String)] }],
    ['a contact without end', { slug: 'ok', contact: { a: 'x'.repeat(20_000) } }, { contact: [expect.any(String)] }],
  ])('is refused with %s', async (_, raw, details) => {
    expect(await boss.refused(400, 'createOrganization', { raw })).toEqual(details);
    expect((await boss.good('listOrganizations', { query: { slug: 'ok' } })).count).toBe(0);
  });

  test('needs the group user or above', async () => {
    const worker = harness.addUser('a-worker', 'worker');
    await worker.refused(403, 'createOrganization', { body: { slug: 'workers' } });
  });
});

describe('an organization', () => {
  test('is listed for its members, with filters, search and sort', async () => {
    const own = harness.addUser('lister');
    const [a, b] = [newSlug(), newSlug()];
    await own.good('createOrganization', { body: { slug: a, name: 'Zebra group' } });
    await own.good('createOrganization', { body: { slug: b, name: 'Apple group' } });
    const slugs = async (query: Record<string, string>) =>
      (await own.good('listOrganizations', { query })).results.map((one) => one.slug);
    expect(await slugs({})).toEqual([b, a]);
    expect(await slugs({ sort: 'name' })).toEqual([b, a]);
    expect(await slugs({ sort: '-name' })).toEqual([a, b]);
    expect(await slugs({ search: 'zebra' })).toEqual([a]);
    expect(await slugs({ slug: b })).toEqual([b]);
    expect(await slugs({ name: 'Zebra group' })).toEqual([a]);
    expect(await slugs({ owner: 'boss' })).toEqual([]);
    expect(await slugs({ filter: JSON.stringify({ in: ['ebra', { var: 'name' }] }) })).toEqual([a]);
    expect(await slugs({ org: a })).toEqual([b, a]);
    expect((await stranger.good('listOrganizations')).count).toBe(0);
    expect((await harness.admin.good('listOrganizations', { query: { page_size: 'all' } })).count).toBeGreaterThan(2);
    await own.refused(400, 'listOrganizations', { query: { filter: '{' } });
    await own.refused(404, 'listOrganizations', { query: { page: '9' } });
  });

  test('can be changed by its owner and its maintainers', async () => {
    const organization = await create();
    const params = { id: organization.id };
    const slug = newSlug();
    const changed = await boss.good('updateOrganization', { params, body: { slug, contact: { phoneNumber: '1' } } });
    expect(changed).toMatchObject({ slug, name: organization.name, contact: { phoneNumber: '1' } });
    expect(changed.updated_date >= organization.updated_date).toBe(true);
    const maintainer = harness.addUser('maintainer-1');
    const supervisor = harness.addUser('supervisor-1');
    await harness.join(changed, maintainer, 'maintainer');
    await harness.join(changed, supervisor, 'supervisor');
    await maintainer.good('updateOrganization', { params, body: { description: 'ours' } });
    await supervisor.refused(403, 'updateOrganization', { params, body: { description: 'mine' } });
    await maintainer.refused(403, 'deleteOrganization', { params });
    expect(await boss.refused(400, 'updateOrganization', { params, body: { slug: 'cats' } })).toHaveProperty('slug');
    expect(await boss.good('updateOrganization', { params, body: { slug } })).toMatchObject({ slug });
    expect(await boss.good('getOrganization', { params })).toMatchObject({ description: 'ours' });
  });

  test('is deleted by its owner with its projects and tasks', async () => {
    const organization = await create();
    const headers = { 'X-Organization': organization.slug };
    const project = await boss.good('createProject', { headers, body: { name: 'p' } });
    const task = await boss.good('createTask', { body: { name: 't', project_id: project.id } });
    const alone = await boss.good('createTask', { headers, body: { name: 'alone' } });
    const sandboxed = await boss.good('createTask', { body: { name: 'at home' } });
    await boss.good('deleteOrganization', { params: { id: organization.id } });
    await boss.refused(404, 'getOrganization', { params: { id: organization.id } });
    await boss.refused(404, 'getProject', { params: { id: project.id } });
    await boss.refused(404, 'getTask', { params: { id: task.id } });
    await boss.refused(404, 'getTask', { params: { id: alone.id } });
    await boss.good('getTask', { params: { id: sandboxed.id } });
    expect(await boss.refused(404, 'listTasks', { headers })).toEqual({
      detail: `${organization.slug} organization does not exist.`,
    });
  });
});

describe('the organization context', () => {
  test('is named by slug, header or id, and keeps sandbox and organizations apart', async () => {
    const organization = await create();
    const { slug, id } = organization;
    const inside = await boss.good('createProject', { headers: { 'X-Organization': slug }, body: { name: 'inside' } });
    const outside = await boss.good('createProject', { body: { name: 'outside' } });
    expect(inside).toMatchObject({ organization: id, organization_id: id });
    expect(outside).toMatchObject({ organization: null, organization_id: null });
    const ids = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
      (await boss.good('listProjects', { query: { page_size: 'all', ...query }, headers })).results.map(
        (one) => one.id,
      );
    expect(await ids({ org: slug })).toEqual([inside.id]);
    expect(await ids({ org_id: String(id) })).toEqual([inside.id]);
    expect(await ids({}, { 'X-Organization': slug })).toEqual([inside.id]);
    expect(await ids({ org: slug }, { 'X-Organization': slug })).toEqual([inside.id]);
    expect(await ids({ org: '' })).toContain(outside.id);
    expect(await ids({ org: '' })).not.toContain(inside.id);
    expect(await ids({ org_id: '' })).not.toContain(inside.id);
    expect(await ids({})).toEqual(expect.arrayContaining([inside.id, outside.id]));
  });

  test('is refused if it contradicts itself or names a foreign organization', async () => {
    const { slug, id } = await create();
    const other = await create();
    const headers = { 'X-Organization': slug };
    await boss.refused(400, 'listProjects', { query: { org_id: String(id), org: slug } });
    await boss.refused(400, 'listProjects', { query: { org_id: String(id) }, headers });
    await boss.refused(400, 'listProjects', { query: { org: other.slug }, headers });
    expect(await boss.refused(404, 'listProjects', { query: { org: 'nowhere' } })).toEqual({
      detail: 'nowhere organization does not exist.',
    });
    await boss.refused(404, 'listProjects', { query: { org_id: '987654' } });
    await stranger.refused(403, 'listProjects', { query: { org: slug } });
    expect((await harness.admin.good('listProjects', { query: { org: slug } })).count).toBe(0);
  });

  test('of another organization does not affect requests for one object', async () => {
    const { slug } = await create();
    const project = await boss.good('createProject', { headers: { 'X-Organization': slug }, body: { name: 'p' } });
    const params = { id: project.id };
    expect(await boss.good('getProject', { params })).toEqual(project);
    expect(await boss.good('getProject', { params, headers: { 'X-Organization': '' } })).toEqual(project);
  });
});
