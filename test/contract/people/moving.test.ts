import { describe, expect, test } from 'vitest';
import { usePeopleHarness, type Caller } from './people-harness.ts';

const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const member = harness.addUser('member');
const guest = harness.addUser('guest');
const team = await boss.good('createOrganization', { body: { slug: 'team' } });
const other = await boss.good('createOrganization', { body: { slug: 'other' } });
await harness.join(team, member, 'supervisor');
await harness.join(other, guest, 'worker');

const inTeam = { 'X-Organization': 'team' };
const move = (caller: Caller, id: number, organization_id: number | null) =>
  caller.good('updateProject', { params: { id }, body: { organization_id } });

describe('a project', () => {
  test('moves with its tasks from the sandbox into an organization, to another one, and back', async () => {
    const project = await boss.good('createProject', { body: { name: 'p', labels: [{ name: 'cat' }] } });
    const task = await boss.good('createTask', { body: { name: 't', project_id: project.id } });
    const params = { id: task.id };
    await member.refused(403, 'getProject', { params: { id: project.id } });

    expect(await move(boss, project.id, team.id)).toMatchObject({ organization: team.id, organization_id: team.id });
    expect(await boss.good('getTask', { params })).toMatchObject({ organization_id: team.id });
    expect((await boss.good('listTasks', { query: { org: 'team' } })).results.map((one) => one.id)).toEqual([task.id]);
    expect((await boss.good('listTasks', { query: { org: '' } })).count).toBe(0);

    await move(boss, project.id, other.id);
    expect((await boss.good('listTasks', { query: { org: 'team' } })).count).toBe(0);
    await move(boss, project.id, null);
    expect(await boss.good('getTask', { params })).toMatchObject({ organization: null });
    await boss.good('deleteProject', { params: { id: project.id } });
  });

  test('loses assignees without access there, and keeps the others', async () => {
    const headers = inTeam;
    const project = await boss.good('createProject', { headers, body: { name: 'p', assignee_id: member.id } });
    const own = await boss.good('createTask', { body: { name: 'own', project_id: project.id, assignee_id: boss.id } });
    const theirs = await boss.good('createTask', {
      body: { name: 'theirs', project_id: project.id, assignee_id: member.id },
    });
    const moved = await move(boss, project.id, other.id);
    expect(moved).toMatchObject({ assignee: null, assignee_updated_date: expect.any(String), owner: { id: boss.id } });
    expect(await boss.good('getTask', { params: { id: own.id } })).toMatchObject({ assignee: { id: boss.id } });
    expect(await boss.good('getTask', { params: { id: theirs.id } })).toMatchObject({ assignee: null });
    await member.refused(403, 'getProject', { params: { id: project.id } });
  });

  test('moves only to where the user may create, and from where the user may delete', async () => {
    const project = await boss.good('createProject', { headers: inTeam, body: { name: 'p', assignee_id: member.id } });
    const params = { id: project.id };
    const to = (organization_id: number | null) => ({ params, body: { organization_id } });
    // A supervisor who is only the assignee may change the project, but not reassign it.
    await member.good('updateProject', { params, body: { name: 'renamed' } });
    await member.refused(403, 'updateProject', to(null));
    expect(await boss.refused(400, 'updateProject', to(987_654))).toEqual({
      organization_id: ['Invalid pk "987654" - object does not exist.'],
    });
    const foreign = await guest.good('createOrganization', { body: { slug: 'foreign' } });
    await boss.refused(403, 'updateProject', to(foreign.id));
    // A worker of the target may not create there.
    const mine = await guest.good('createProject', { body: { name: 'mine' } });
    await guest.refused(403, 'updateProject', { params: { id: mine.id }, body: { organization_id: other.id } });
    await guest.good('updateProject', { params: { id: mine.id }, body: { organization_id: null, name: 'still mine' } });
    expect(await boss.good('getProject', { params })).toMatchObject({ organization_id: team.id, name: 'renamed' });
  });

  test('returns the project to the user who moved it, even if it is not visible afterwards', async () => {
    const project = await boss.good('createProject', { headers: inTeam, body: { name: 'p' } });
    const maintainer = harness.addUser('maintainer');
    await harness.join(team, maintainer, 'maintainer');
    expect(await move(maintainer, project.id, null)).toMatchObject({ organization: null, owner: { id: boss.id } });
    await maintainer.refused(403, 'getProject', { params: { id: project.id } });
  });
});

describe('a task', () => {
  test('without a project moves alone', async () => {
    const task = await boss.good('createTask', { body: { name: 't' } });
    const params = { id: task.id };
    const moved = await boss.good('updateTask', { params, body: { organization_id: team.id, assignee_id: member.id } });
    expect(moved).toMatchObject({ organization_id: team.id, assignee: { id: member.id } });
    await member.good('getTask', { params });
    expect(await boss.good('updateTask', { params, body: { organization_id: other.id } })).toMatchObject({
      assignee: null,
    });
    await member.refused(403, 'getTask', { params });
    await boss.refused(400, 'updateTask', { params, body: { organization_id: 987_654 } });
  });

  test('inside a project is always in the organization of the project', async () => {
    const project = await boss.good('createProject', { headers: inTeam, body: { name: 'p' } });
    const task = await boss.good('createTask', { body: { name: 't', project_id: project.id } });
    expect(task.organization_id).toBe(team.id);
    const params = { id: task.id };
    expect(await boss.refused(400, 'updateTask', { params, body: { organization_id: null } })).toHaveProperty(
      'organization_id',
    );
    await boss.good('updateTask', { params, body: { organization_id: team.id, name: 'stays' } });
  });
});

describe('owners and assignees', () => {
  test('must be visible users', async () => {
    const stranger = harness.addUser('stranger');
    const { id } = await boss.good('createProject', { headers: inTeam, body: { name: 'p', assignee_id: member.id } });
    await boss.refused(403, 'updateProject', { params: { id }, body: { assignee_id: stranger.id } });
    expect(await boss.refused(400, 'updateProject', { params: { id }, body: { assignee_id: 987_654 } })).toEqual({
      assignee_id: ['Invalid pk "987654" - object does not exist.'],
    });
    await harness.admin.good('updateProject', { params: { id }, body: { assignee_id: stranger.id } });
  });

  test('can be changed in a sandbox only by an admin', async () => {
    const { id } = await boss.good('createProject', { body: { name: 'p' } });
    await boss.refused(403, 'updateProject', { params: { id }, body: { owner_id: member.id } });
    await boss.refused(403, 'createProject', { body: { name: 'p', owner_id: member.id } });
    const given = await harness.admin.good('updateProject', { params: { id }, body: { owner_id: member.id } });
    expect(given).toMatchObject({ owner: { id: member.id } });
    await boss.refused(403, 'getProject', { params: { id } });
    const made = await harness.admin.good('createProject', { body: { name: 'for boss', owner_id: boss.id } });
    expect(made).toMatchObject({ owner: { id: boss.id } });
  });

  test('can be changed by the owner of a task', async () => {
    const { id } = await boss.good('createTask', { body: { name: 't' } });
    const given = await boss.good('updateTask', { params: { id }, body: { owner_id: member.id } });
    expect(given).toMatchObject({ owner: { id: member.id } });
    await boss.refused(403, 'getTask', { params: { id } });
  });
});
