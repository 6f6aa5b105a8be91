import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../../preload/contract/operations/index.ts';
import type { Group } from '../../../main/users/access/access-table.ts';
import { organizationRoles, type OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { usePeopleHarness, type Caller, type Input } from './people-harness.ts';

type Place = OrganizationRole | 'stranger';

const groups: readonly Group[] = ['worker', 'user', 'admin'];
const places: readonly Place[] = ['stranger', ...organizationRoles];

type Team = Awaited<ReturnType<typeof createTeam>>;

const teams = new Map<Group, Team>();
const harness = await usePeopleHarness();
for (const group of groups) teams.set(group, await createTeam(group));

/** An organization with one member per role, all in the same system group. */
async function createTeam(group: Group) {
  const add = (place: Place) => harness.addUser(`${group}-${place}`, group);
  const founder = harness.addUser(`${group}-owner`, 'user');
  const organization = await founder.good('createOrganization', { body: { slug: `all-${group}` } });
  await harness.admin.good('updateUser', { params: { id: founder.id }, body: { groups: [group] } });
  const callers = {
    owner: harness.as(founder.id, founder.username, group),
    maintainer: add('maintainer'),
    supervisor: add('supervisor'),
    worker: add('worker'),
    stranger: add('stranger'),
  };
  for (const role of ['maintainer', 'supervisor', 'worker'] as const) {
    await harness.join(organization, callers[role], role);
  }
  return { organization, callers };
}

/** Creates a member below all others, as the target of the operations. */
async function newMember(team: Team, role: 'worker' | 'maintainer'): Promise<{ id: number }> {
  const member = harness.addUser(`member-${Math.random().toString(36).slice(2)}`);
  await harness.join(team.organization, member, role);
  const query = { org: team.organization.slug, user: member.username };
  return (await harness.admin.good('listMemberships', { query })).results[0]!;
}

const otherProject = (team: Team) =>
  harness.admin.good('createProject', { headers: context(team), body: { name: 'of the admin' } });
const foreignTask = (team: Team) =>
  harness.admin.good('createTask', { headers: context(team), body: { name: 'of the admin' } });
const context = ({ organization }: Team) => ({ 'X-Organization': organization.slug });
const invite = (role: OrganizationRole) => async (caller: Caller, team: Team) =>
  caller.call('createInvitation', {
    headers: context(team),
    body: { role, email: `${Math.random().toString(36).slice(2)}@example.org` },
  });

type Ask = (caller: Caller, team: Team) => Promise<{ readonly status: number }>;
type Needs = readonly [Group, OrganizationRole] | 'admin';
/** Status for callers without permission, and for strangers if it differs. */
interface Refusal {
  readonly refused?: number;
  readonly hidden?: number;
}

/** An operation on a new object of another user, created again for each caller. */
const onNew =
  <Id extends OperationId>(make: (team: Team) => Promise<{ id: number }>, id: Id, more: Input<Id> = {}): Ask =>
  async (caller, team) =>
    // Each of these operations names one object by its number.
    caller.call(id, { params: { id: (await make(team)).id }, ...more } as Input<Id>);
const onProject = <Id extends OperationId>(id: Id, more: Input<Id> = {}) => onNew(otherProject, id, more);
const onTask = <Id extends OperationId>(id: Id, more: Input<Id> = {}) => onNew(foreignTask, id, more);
const onMember = <Id extends OperationId>(role: 'worker' | 'maintainer', id: Id, more: Input<Id> = {}) =>
  onNew((team) => newMember(team, role), id, more);
const toRole = (role: OrganizationRole) => ({ body: { role } });

type Case = [what: string, needs: Needs, good: number, ask: Ask, refusal?: Refusal];

const cases: readonly Case[] = [
  [
    'list projects',
    ['worker', 'worker'],
    200,
    (caller, team) => caller.call('listProjects', { headers: context(team) }),
  ],
  [
    'create a project',
    ['user', 'supervisor'],
    201,
    (caller, team) => caller.call('createProject', { headers: context(team), body: { name: 'p' } }),
  ],
  [
    'create a task',
    ['user', 'supervisor'],
    201,
    (caller, team) => caller.call('createTask', { headers: context(team), body: { name: 't' } }),
  ],
  [
    "create a task in somebody else's project",
    ['user', 'supervisor'],
    201,
    async (caller, team) =>
      caller.call('createTask', { body: { name: 't', project_id: (await otherProject(team)).id } }),
  ],
  ["see somebody else's project", ['user', 'maintainer'], 200, onProject('getProject')],
  [
    "change somebody else's project",
    ['user', 'maintainer'],
    200,
    onProject('updateProject', { body: { name: 'changed' } }),
  ],
  [
    "give somebody else's project to oneself",
    ['user', 'maintainer'],
    200,
    (caller, team) =>
      onProject('updateProject', { body: { owner_id: caller.id, assignee_id: caller.id } })(caller, team),
  ],
  [
    "export somebody else's project",
    ['user', 'maintainer'],
    202,
    onProject('exportProjectDataset', { query: { format: 'COCO 1.0' } }),
  ],
  ["delete somebody else's project", ['user', 'maintainer'], 204, onProject('deleteProject')],
  ["see somebody else's task", ['user', 'maintainer'], 200, onTask('getTask')],
  [
    "change the labels of somebody else's task",
    ['user', 'maintainer'],
    200,
    onTask('updateTask', { body: { labels: [{ name: 'cat' }] } }),
  ],
  ["delete somebody else's task", ['user', 'maintainer'], 204, onTask('deleteTask')],
  [
    'see the organization',
    ['worker', 'worker'],
    200,
    (caller, { organization }) => caller.call('getOrganization', { params: { id: organization.id } }),
  ],
  [
    'change the organization',
    ['worker', 'maintainer'],
    200,
    (caller, { organization }) =>
      caller.call('updateOrganization', { params: { id: organization.id }, body: { description: 'changed' } }),
  ],
  ['see the members', ['worker', 'worker'], 200, onMember('worker', 'getMembership')],
  [
    'see a member as a user',
    ['worker', 'worker'],
    200,
    (caller, { callers }) => caller.call('getUser', { params: { id: callers.owner.id } }),
  ],
  ['invite a worker', ['user', 'maintainer'], 201, invite('worker')],
  ['invite a supervisor', ['user', 'maintainer'], 201, invite('supervisor')],
  ['invite a maintainer', ['user', 'owner'], 201, invite('maintainer')],
  ["change a worker's role", ['user', 'maintainer'], 200, onMember('worker', 'updateMembership', toRole('supervisor'))],
  ['make a worker a maintainer', ['user', 'owner'], 200, onMember('worker', 'updateMembership', toRole('maintainer'))],
  ["change a maintainer's role", ['user', 'owner'], 200, onMember('maintainer', 'updateMembership', toRole('worker'))],
  ['remove a worker', ['user', 'maintainer'], 204, onMember('worker', 'deleteMembership')],
  ['remove a maintainer', ['user', 'owner'], 204, onMember('maintainer', 'deleteMembership')],
  [
    'change the groups of a member',
    'admin',
    200,
    (caller, { callers }) =>
      caller.call('updateUser', { params: { id: callers.worker.id }, body: { groups: [caller.group] } }),
  ],
];

const reach = (group: Group, place: Place, needs: Needs): boolean => {
  if (group === 'admin') return true;
  if (needs === 'admin' || place === 'stranger') return false;
  const [leastGroup, leastRole] = needs;
  return (
    groups.indexOf(group) >= groups.indexOf(leastGroup) &&
    organizationRoles.indexOf(place) >= organizationRoles.indexOf(leastRole)
  );
};

describe('over three system groups and four roles (and strangers), who may', () => {
  test.each(cases)('%s', async (_, needs, good, ask, { refused = 403, hidden = refused } = {}) => {
    const answers: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const [group, team] of teams) {
      for (const place of places) {
        const status = place === 'stranger' ? hidden : refused;
        expected[`${group} as ${place}`] = reach(group, place, needs) ? good : status;
        answers[`${group} as ${place}`] = (await ask(team.callers[place], team)).status;
      }
    }
    expect(answers).toEqual(expected);
  });

  test('the organization can be deleted by its owner in any group, and by admins', async () => {
    for (const group of groups) {
      const { organization, callers } = teams.get(group)!;
      const params = { id: organization.id };
      for (const place of places.filter((one) => one !== 'owner')) {
        if (group !== 'admin') {
          await callers[place].refused(403, 'deleteOrganization', { params });
        }
      }
      await callers[group === 'admin' ? 'stranger' : 'owner'].good('deleteOrganization', { params });
    }
  });
});
