import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Group } from '../../../main/people/access/access-table.ts';
import {
  organizationRoles,
  type Organization,
  type OrganizationRole,
} from '../../../preload/contract/schema/people.ts';
import { startPeopleHarness, type Caller, type PeopleHarness } from './people-harness.ts';

type Place = OrganizationRole | 'stranger';

const groups: readonly Group[] = ['worker', 'user', 'admin'];
const places: readonly Place[] = ['stranger', ...organizationRoles];

interface Team {
  readonly organization: Organization;
  readonly callers: Readonly<Record<Place, Caller>>;
}

let harness: PeopleHarness;
const teams = new Map<Group, Team>();
beforeAll(async () => {
  harness = await startPeopleHarness();
  for (const group of groups) teams.set(group, await createTeam(group));
});
afterAll(() => harness.stop());

/** An organization whose people are all in one system group, a person for each role. */
async function createTeam(group: Group): Promise<Team> {
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

/** Somebody below everybody else, whom the roles act upon. */
async function newMember(team: Team, role: 'worker' | 'maintainer'): Promise<number> {
  const member = harness.addUser(`member-${Math.random().toString(36).slice(2)}`);
  await harness.join(team.organization, member, role);
  const query = { org: team.organization.slug, user: member.username };
  return (await harness.admin.good('listMemberships', { query })).results[0]!.id;
}

const foreignProject = (team: Team) =>
  harness.admin.good('createProject', { headers: context(team), body: { name: 'of the admin' } });
const foreignTask = (team: Team) =>
  harness.admin.good('createTask', { headers: context(team), body: { name: 'of the admin' } });
const context = ({ organization }: Team) => ({ 'X-Organization': organization.slug });
const invite = (role: OrganizationRole) => async (caller: Caller, team: Team) =>
  caller.call('createInvitation', {
    headers: context(team),
    body: { role, email: `${Math.random().toString(36).slice(2)}@example.org` },
  });

interface Case {
  readonly what: string;
  /** Least group and role of the table; a stranger needs to be an admin whatever it says. */
  readonly needs: readonly [Group, OrganizationRole] | 'admin';
  readonly good: number;
  /** Status for those who may not. */
  readonly refused?: number;
  /** Status for strangers who may not, where it differs. */
  readonly hidden?: number;
  readonly ask: (caller: Caller, team: Team) => Promise<{ readonly status: number }>;
}

const cases: readonly Case[] = [
  {
    what: 'list projects',
    needs: ['worker', 'worker'],
    good: 200,
    ask: (caller, team) => caller.call('listProjects', { headers: context(team) }),
  },
  {
    what: 'create a project',
    needs: ['user', 'supervisor'],
    good: 201,
    ask: (caller, team) => caller.call('createProject', { headers: context(team), body: { name: 'p' } }),
  },
  {
    what: 'create a task',
    needs: ['user', 'supervisor'],
    good: 201,
    ask: (caller, team) => caller.call('createTask', { headers: context(team), body: { name: 't' } }),
  },
  {
    what: "create a task in somebody else's project",
    needs: ['user', 'supervisor'],
    good: 201,
    ask: async (caller, team) =>
      caller.call('createTask', { body: { name: 't', project_id: (await foreignProject(team)).id } }),
  },
  {
    what: "see somebody else's project",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) => caller.call('getProject', { params: { id: (await foreignProject(team)).id } }),
  },
  {
    what: "change somebody else's project",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateProject', { params: { id: (await foreignProject(team)).id }, body: { name: 'changed' } }),
  },
  {
    what: "give somebody else's project to oneself",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateProject', {
        params: { id: (await foreignProject(team)).id },
        body: { owner_id: caller.id, assignee_id: caller.id },
      }),
  },
  {
    what: "export somebody else's project",
    needs: ['user', 'maintainer'],
    good: 202,
    ask: async (caller, team) =>
      caller.call('exportProjectDataset', {
        params: { id: (await foreignProject(team)).id },
        query: { format: 'COCO 1.0' },
      }),
  },
  {
    what: "delete somebody else's project",
    needs: ['user', 'maintainer'],
    good: 204,
    ask: async (caller, team) => caller.call('deleteProject', { params: { id: (await foreignProject(team)).id } }),
  },
  {
    what: "see somebody else's task",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) => caller.call('getTask', { params: { id: (await foreignTask(team)).id } }),
  },
  {
    what: "change the labels of somebody else's task",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateTask', { params: { id: (await foreignTask(team)).id }, body: { labels: [{ name: 'cat' }] } }),
  },
  {
    what: "delete somebody else's task",
    needs: ['user', 'maintainer'],
    good: 204,
    ask: async (caller, team) => caller.call('deleteTask', { params: { id: (await foreignTask(team)).id } }),
  },
  {
    what: 'see the organization',
    needs: ['worker', 'worker'],
    good: 200,
    refused: 404,
    ask: (caller, { organization }) => caller.call('getOrganization', { params: { id: organization.id } }),
  },
  {
    what: 'change the organization',
    needs: ['worker', 'maintainer'],
    good: 200,
    hidden: 404,
    ask: (caller, { organization }) =>
      caller.call('updateOrganization', { params: { id: organization.id }, body: { description: 'changed' } }),
  },
  {
    what: 'see the members',
    needs: ['worker', 'worker'],
    good: 200,
    ask: async (caller, team) => caller.call('getMembership', { params: { id: await newMember(team, 'worker') } }),
  },
  {
    what: 'see a member as a user',
    needs: ['worker', 'worker'],
    good: 200,
    refused: 404,
    ask: (caller, { callers }) => caller.call('getUser', { params: { id: callers.owner.id } }),
  },
  { what: 'invite a worker', needs: ['user', 'maintainer'], good: 201, ask: invite('worker') },
  { what: 'invite a supervisor', needs: ['user', 'maintainer'], good: 201, ask: invite('supervisor') },
  { what: 'invite a maintainer', needs: ['user', 'owner'], good: 201, ask: invite('maintainer') },
  {
    what: "change a worker's role",
    needs: ['user', 'maintainer'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateMembership', {
        params: { id: await newMember(team, 'worker') },
        body: { role: 'supervisor' },
      }),
  },
  {
    what: 'make a worker a maintainer',
    needs: ['user', 'owner'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateMembership', {
        params: { id: await newMember(team, 'worker') },
        body: { role: 'maintainer' },
      }),
  },
  {
    what: "change a maintainer's role",
    needs: ['user', 'owner'],
    good: 200,
    ask: async (caller, team) =>
      caller.call('updateMembership', {
        params: { id: await newMember(team, 'maintainer') },
        body: { role: 'worker' },
      }),
  },
  {
    what: 'remove a worker',
    needs: ['user', 'maintainer'],
    good: 204,
    ask: async (caller, team) => caller.call('deleteMembership', { params: { id: await newMember(team, 'worker') } }),
  },
  {
    what: 'remove a maintainer',
    needs: ['user', 'owner'],
    good: 204,
    ask: async (caller, team) =>
      caller.call('deleteMembership', { params: { id: await newMember(team, 'maintainer') } }),
  },
  {
    what: 'change the groups of a member',
    needs: 'admin',
    good: 200,
    ask: (caller, { callers }) =>
      caller.call('updateUser', { params: { id: callers.worker.id }, body: { groups: [caller.group] } }),
    hidden: 404,
  },
];

const reach = (group: Group, place: Place, needs: Case['needs']): boolean => {
  if (group === 'admin') return true;
  if (needs === 'admin' || place === 'stranger') return false;
  const [leastGroup, leastRole] = needs;
  return (
    groups.indexOf(group) >= groups.indexOf(leastGroup) &&
    organizationRoles.indexOf(place) >= organizationRoles.indexOf(leastRole)
  );
};

describe('over three system groups and four roles (and strangers), who may', () => {
  test.each(cases.map((one) => [one.what, one] as const))(
    '%s',
    async (_, { needs, good, refused = 403, hidden, ask }) => {
      const answers: Record<string, number> = {};
      const expected: Record<string, number> = {};
      for (const [group, team] of teams) {
        for (const place of places) {
          const status = place === 'stranger' ? (hidden ?? refused) : refused;
          expected[`${group} as ${place}`] = reach(group, place, needs) ? good : status;
          answers[`${group} as ${place}`] = (await ask(team.callers[place], team)).status;
        }
      }
      expect(answers).toEqual(expected);
    },
  );

  test('delete the organization: its owner, whatever the group, and admins', async () => {
    for (const group of groups) {
      const { organization, callers } = teams.get(group)!;
      const params = { id: organization.id };
      for (const place of places.filter((one) => one !== 'owner')) {
        if (group !== 'admin') {
          await callers[place].refused(place === 'stranger' ? 404 : 403, 'deleteOrganization', { params });
        }
      }
      await callers[group === 'admin' ? 'stranger' : 'owner'].good('deleteOrganization', { params });
    }
  });
});
