import { describe, expect, test } from 'vitest';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import {
  addOrganizationWebhook,
  addProjectWebhook,
  inOrganization,
  organizationWebhook,
  projectWebhook,
  useWorld,
  type Caller,
  type World,
} from './webhook-world.ts';

const world = await useWorld();

type Place = 'sandbox' | 'foreign project' | 'own project' | 'organization';
type Person = 'admin' | 'loner' | 'stranger' | keyof World['team'];

const personOf = (person: Person): Caller =>
  person === 'admin' || person === 'loner' || person === 'stranger' ? world[person] : world.team[person];

const projectOf = (place: Exclude<Place, 'organization'>) =>
  ({
    sandbox: world.sandboxProject,
    'foreign project': world.otherProject,
    'own project': world.supervisedProject,
  })[place];

const addWebhook = (place: Place): Promise<Webhook> =>
  place === 'organization'
    ? addOrganizationWebhook(world, world.admin)
    : addProjectWebhook(world.admin, projectOf(place));

async function create(caller: Caller, place: Place): Promise<number> {
  const query = place === 'sandbox' ? {} : inOrganization(world);
  const body = place === 'organization' ? organizationWebhook() : projectWebhook(projectOf(place).id);
  return (await caller.call('createWebhook', { query, body })).status;
}

/** The supervisor owns the projects; the loner owns the one in the sandbox. */
const rows: readonly (readonly [Place, readonly Person[], readonly Person[]])[] = [
  ['sandbox', ['admin', 'loner'], ['stranger', 'maintainer']],
  ['foreign project', ['admin', 'owner', 'maintainer'], ['supervisor', 'worker', 'stranger']],
  ['own project', ['admin', 'owner', 'maintainer', 'supervisor'], ['worker', 'stranger']],
  ['organization', ['admin', 'owner', 'maintainer'], ['supervisor', 'worker', 'stranger']],
];
const cases = rows.flatMap(([place, may, mayNot]) => [
  ...may.map((person) => [person, place, true] as const),
  ...mayNot.map((person) => [person, place, false] as const),
]);

describe('a webhook of another creator', () => {
  test.each(cases)('%s, in the %s: %s', async (person, place, may) => {
    const caller = personOf(person);
    const { id } = await addWebhook(place);
    const params = { id };
    expect(await create(caller, place), 'to make one').toBe(may ? 201 : 403);
    expect((await caller.call('getWebhook', { params })).status, 'to see it').toBe(may ? 200 : 403);
    const changed = await caller.call('updateWebhook', { params, raw: { description: 'changed' } });
    expect(changed.status, 'to change it').toBe(may ? 200 : 403);
    expect((await caller.call('deleteWebhook', { params })).status, 'to delete it').toBe(may ? 204 : 403);
    expect((await world.admin.call('getWebhook', { params })).status, 'what is left').toBe(may ? 404 : 200);
  });
});

describe('permissions beyond the table', () => {
  test('the creator keeps a webhook when the project gets another owner', async () => {
    const project = await world.admin.good('createProject', { body: { name: 'lent', owner_id: world.loner.id } });
    const { id } = await addProjectWebhook(world.loner, project);
    const params = { id };
    await world.admin.good('updateProject', { params: { id: project.id }, body: { owner_id: world.admin.id } });
    expect((await world.loner.good('getWebhook', { params })).id).toBe(id);
    await world.loner.good('updateWebhook', { params, body: { description: 'changed' } });
    await world.loner.good('deleteWebhook', { params });
  });

  test('a former member sees none of their webhooks', async () => {
    const leaver = world.harness.addUser('a-leaver');
    await world.harness.join(world.organization, leaver, 'maintainer');
    const own = await addOrganizationWebhook(world, leaver);
    const { results } = await world.admin.good('listMemberships', { query: { user: leaver.username } });
    await leaver.good('deleteMembership', { params: { id: results[0]?.id ?? 0 } });
    await leaver.refused(403, 'getWebhook', { params: { id: own.id } });
  });

  test.each(['user', 'worker'] as const)('in group %s an owner may create one, an assignee may not', async (group) => {
    const person = world.harness.addUser(`somebody-${group}`, group);
    const own = await world.admin.good('createProject', { body: { name: 'own', owner_id: person.id } });
    const assigned = await world.admin.good('createProject', { body: { name: 'assigned', assignee_id: person.id } });
    await addProjectWebhook(person, own);
    await person.refused(403, 'createWebhook', { body: projectWebhook(assigned.id) });
  });

  test('it is deleted with its project', async () => {
    const project = await world.loner.good('createProject', { body: { name: 'short-lived' } });
    const webhook = await addProjectWebhook(world.loner, project);
    await world.loner.good('deleteProject', { params: { id: project.id } });
    await world.admin.refused(404, 'getWebhook', { params: { id: webhook.id } });
  });
});
