import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Actor, Listing, ListRequest } from '../../main/users/access/actor.ts';
import type { Group } from '../../main/users/access/access-table.ts';
import { mediaDirectory } from '../../main/work/tasks/task-media.ts';
import { createUserRepository } from '../../main/users/accounts/user-repository.ts';
import { organizationContext } from '../../main/users/accounts/organization-context.ts';
import { AppError } from '../../main/platform/errors.ts';
import { organizationRoles, organizationWriteSchema } from '../../preload/contract/schema/people.ts';
import { dataRequestSchema, projectWriteSchema, taskWriteSchema } from '../../preload/contract/schema/resources.ts';
import { useCoreHarness } from './work/core-harness.ts';

const harness = useCoreHarness();

const everything: ListRequest = { page: 1, pageSize: 'all', equals: {} };

describe('the content of lists', () => {
  const groups: readonly Group[] = ['worker', 'user', 'admin'];
  const userCount = 4;
  const organizationCount = 2;
  const person = fc.option(fc.integer({ min: 0, max: userCount - 1 }));
  const place = fc.option(fc.integer({ min: 0, max: organizationCount - 1 }));

  const world = fc.record({
    groups: fc.array(fc.constantFrom(...groups), { minLength: userCount, maxLength: userCount }),
    members: fc.uniqueArray(
      fc.record({
        user: fc.integer({ min: 0, max: userCount - 1 }),
        organization: fc.integer({ min: 0, max: organizationCount - 1 }),
        role: fc.constantFrom(...organizationRoles),
        isActive: fc.boolean(),
      }),
      { selector: ({ user, organization }) => `${user} ${organization}`, maxLength: 6 },
    ),
    projects: fc.array(fc.record({ owner: person, assignee: person, organization: place }), { maxLength: 4 }),
    tasks: fc.array(
      fc.record({
        owner: person,
        assignee: person,
        organization: place,
        project: fc.option(fc.nat(3)),
        jobs: fc.array(person, { maxLength: 2 }),
      }),
      { maxLength: 5 },
    ),
  });
  type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

  function clear(): void {
    for (const table of ['job', 'segment', 'task', 'project', 'membership', 'organization']) {
      harness.database.exec(`DELETE FROM ${table}`);
    }
    harness.database.exec("DELETE FROM user WHERE username LIKE 'u%-%'");
  }

  /** One transaction, because each commit waits for the disk. */
  const build = (made: World, round: number) => harness.database.write(() => put(made, round));

  function put(made: World, round: number): { actors: Actor[]; organizations: number[] } {
    const { database } = harness;
    clear();
    const date = '2026-01-01T00:00:00.000000Z';
    const insert = (sql: string, ...values: unknown[]) => Number(database.query(sql).run(...values).lastInsertRowid);
    const users = made.groups.map((group, index) =>
      insert(
        "INSERT INTO user (username, password_hash, group_name, date_joined) VALUES (?, '!', ?, ?)",
        `u${round}-${index}`,
        group,
        date,
      ),
    );
    const organizations = Array.from({ length: organizationCount }, (_, index) =>
      insert(
        'INSERT INTO organization (slug, name, owner_id, created_date, updated_date) VALUES (?, ?, ?, ?, ?)',
        `o${index}`,
        'name',
        users[index] ?? null,
        date,
        date,
      ),
    );
    for (const { user, organization, role, isActive } of made.members) {
      insert(
        'INSERT INTO membership (user_id, organization_id, role, is_active) VALUES (?, ?, ?, ?)',
        users[user],
        organizations[organization],
        role,
        Number(isActive),
      );
    }
    const id = (list: readonly number[], index: number | null) => (index === null ? null : (list[index] ?? null));
    const projects = made.projects.map(({ owner, assignee, organization }) => ({
      id: insert(
        `INSERT INTO project (name, owner_id, assignee_id, organization_id, created_date, updated_date)
         VALUES ('p', ?, ?, ?, ?, ?)`,
        id(users, owner),
        id(users, assignee),
        id(organizations, organization),
        date,
        date,
      ),
      organization: id(organizations, organization),
    }));
    for (const { owner, assignee, organization, project: index, jobs } of made.tasks) {
      const project = index === null ? undefined : projects[index];
      const task = insert(
        `INSERT INTO task (name, project_id, owner_id, assignee_id, organization_id, segment_size, created_date,
           updated_date) VALUES ('t', ?, ?, ?, ?, 0, ?, ?)`,
        project?.id ?? null,
        id(users, owner),
        id(users, assignee),
        project ? project.organization : id(organizations, organization),
        date,
        date,
      );
      for (const jobAssignee of jobs) {
        const segment = insert('INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (?, 0, 0)', task);
        insert(
          'INSERT INTO job (task_id, segment_id, assignee_id, created_date, updated_date) VALUES (?, ?, ?, ?, ?)',
          task,
          segment,
          id(users, jobAssignee),
          date,
          date,
        );
      }
    }
    const actors = users.map((userId, index): Actor => {
      const group = made.groups[index] ?? 'worker';
      const base = { userId, username: `u${round}-${index}`, group, readOnly: false, baseUrl: 'http://127.0.0.1' };
      return { ...base, organization: { kind: 'all' } };
    });
    return { actors, organizations };
  }

  interface Collection {
    list(
      actor: Actor,
      request: ListRequest,
    ): Listing<{ id: number; organization?: number | null; project_id?: number | null }>;
    get(actor: Actor, id: number): unknown;
  }

  function mayGet(collection: Collection, actor: Actor, id: number): boolean {
    try {
      collection.get(actor, id);
      return true;
    } catch (error) {
      if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'not-found')) return false;
      throw error;
    }
  }

  function contexts(actor: Actor, organizations: readonly number[]): Actor['organization'][] {
    const users = createUserRepository(harness.database);
    const row = users.get(actor.userId);
    if (!row) throw new Error('The actor is not in the store.');
    const named = organizations.flatMap((id) => {
      try {
        return [organizationContext(users, row, { id: String(id) })];
      } catch {
        return [];
      }
    });
    return [{ kind: 'all' }, { kind: 'personal' }, ...named];
  }

  function expectListed(collection: Collection, actor: Actor, equals: ListRequest['equals'], expected: number[]): void {
    const listed = collection.list(actor, { ...everything, equals });
    expect(listed.results.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    expect(listed.count).toBe(expected.length);
    const first = collection.list(actor, { page: 1, pageSize: 1, equals });
    expect(first).toEqual({ count: expected.length, results: listed.results.slice(0, 1) });
  }

  /**
   * Without a named organization, objects that only a role in an organization shows are not listed. All others are,
   * especially those that the actor owns or is assigned to.
   */
  function expectRelated(
    collection: Collection,
    actor: Actor,
    visible: ReturnType<Collection['list']>['results'],
  ): void {
    const listed = collection.list(actor, everything);
    const ids = new Set(listed.results.map(({ id }) => id));
    expect(visible.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    expect(listed.count).toBe(ids.size);
    const isOwn = (person: unknown): boolean => (person as { id?: number } | null | undefined)?.id === actor.userId;
    const missing = visible.filter((row) => {
      const { owner, assignee } = row as { owner?: unknown; assignee?: unknown };
      return !ids.has(row.id) && ((row.organization ?? null) === null || isOwn(owner) || isOwn(assignee));
    });
    expect(missing).toEqual([]);
  }

  test('is exactly the objects that the actor may read one by one, within the context', () => {
    const { core } = harness;
    const inProjects: readonly Collection[] = [core.tasks, core.jobs];
    const work: readonly Collection[] = [core.projects, ...inProjects];
    const people: readonly Collection[] = [core.organizations, core.memberships];
    const everywhere: Actor = { ...harness.admin, organization: { kind: 'all' } };
    let round = 0;
    fc.assert(
      fc.property(world, (made) => {
        const { actors, organizations } = build(made, (round += 1));
        const whole = new Map([...work, ...people].map((one) => [one, one.list(everywhere, everything).results]));
        const projectIds = core.projects.list(everywhere, everything).results.map(({ id }) => id);
        for (const actor of actors) {
          const named = contexts(actor, organizations);
          for (const [collection, all] of whole) {
            const visible = all.filter(({ id }) => mayGet(collection, actor, id));
            for (const context of named) {
              const inContext = visible.filter(({ organization }) => {
                if (context.kind === 'all' || collection === core.organizations) return true;
                return (organization ?? null) === (context.kind === 'one' ? context.id : null);
              });
              const caller = { ...actor, organization: context };
              if (context.kind === 'all' && collection !== core.organizations) {
                expectRelated(collection, caller, visible);
                continue;
              }
              const ids = (rows: typeof all) => rows.map(({ id }) => id);
              expectListed(collection, caller, {}, ids(inContext));
              if (!inProjects.includes(collection)) continue;
              for (const id of projectIds) {
                const inProject = inContext.filter((row) => row.project_id === id);
                expectListed(collection, caller, { project_id: String(id) }, ids(inProject));
              }
            }
          }
        }
      }),
      { numRuns: 60 },
    );
    clear();
  });
});

test('deleting an organization deletes its media and annotations, and nothing else', async () => {
  const { core, admin, folder, database } = harness;
  const images = join(folder, 'own-images');
  mkdirSync(images);
  await sharp({ create: { width: 16, height: 12, channels: 3, background: '#123456' } })
    .png()
    .toFile(join(images, 'a.png'));
  const organization = core.organizations.create(admin, organizationWriteSchema.parse({ slug: 'doomed' }));
  const inside: Actor = { ...admin, organization: { kind: 'one', id: organization.id, role: 'owner' } };
  const project = core.projects.create(inside, projectWriteSchema.parse({ name: 'p' }));
  const withCopies = async (actor: Actor, body: object) => {
    const task = core.tasks.create(actor, taskWriteSchema.parse({ name: 't', ...body }));
    const request = dataRequestSchema.parse({ server_files: [images], copy_data: true });
    expect(await harness.ended(core.taskData.start(actor, task.id, request, []).rq_id)).toMatchObject({
      status: 'finished',
    });
    return task.id;
  };
  const doomed = [await withCopies(inside, { project_id: project.id }), await withCopies(inside, {})];
  const kept = await withCopies(admin, {});
  const media = database.query('SELECT count(*) AS n FROM media');
  expect(media.get()).toEqual({ n: 3 });
  expect(doomed.every((id) => existsSync(mediaDirectory(folder, id)))).toBe(true);

  core.organizations.remove(admin, organization.id);
  for (const id of doomed) expect(() => core.tasks.get(admin, id)).toThrow('Not found.');
  expect(core.tasks.get(admin, kept).id).toBe(kept);
  // Media are deleted in portions in the background.
  await expect.poll(() => media.get()).toEqual({ n: 1 });
  await expect.poll(() => doomed.some((id) => existsSync(mediaDirectory(folder, id)))).toBe(false);
  expect(existsSync(join(images, 'a.png'))).toBe(true);
  expect(database.pragma('foreign_key_check')).toEqual([]);
});
