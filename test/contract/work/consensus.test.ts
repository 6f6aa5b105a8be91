import { describe, expect, test } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Agreement, ConsensusSettings } from '../../../preload/contract/schema/consensus.ts';
import type { LabeledData, Shape } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { choiceOf, pictures, startWork, useWork } from './work-harness.ts';

const work = await useWork();

const labels = [{ name: 'car', attributes: [choiceOf('color', ['red', 'blue'])] }, { name: 'bus' }, { name: 'tram' }];
const images = await pictures(4, 200, 100);

async function replicated(replicas: number, more: object = {}) {
  const task: Task = await work.owner.taskWithImages({ labels, consensus_replicas: replicas, ...more }, images);
  const [car, bus, tram] = (await work.labelsOf({ task_id: task.id })) as [Label, Label, Label];
  const jobs = await work.jobsOf(task.id);
  const parents = jobs.filter(({ type }) => type === 'annotation');
  const replicasOf = ({ id }: Job): Job[] => jobs.filter(({ parent_job_id: parent }) => parent === id);
  return { task, car, bus, tram, jobs, parents, replicasOf };
}

type Drawn = readonly [label: Label, points: readonly number[], more?: object];
const put = (job: Job, frame: number, drawn: readonly Drawn[], tags: readonly Label[] = []) =>
  work.owner.good('PUT', `/api/jobs/${job.id}/annotations`, {
    json: {
      shapes: drawn.map(([{ id }, points, more]) => ({ frame, label_id: id, type: 'rectangle', points, ...more })),
      tags: tags.map(({ id }) => ({ frame: 1, label_id: id })),
    },
  });
const held = ({ id }: Job) => work.owner.good<LabeledData>('GET', `/api/jobs/${id}/annotations`);
const job = ({ id }: Job) => work.owner.good<Job>('GET', `/api/jobs/${id}`);
const start = (json: object) => work.owner.call('POST', '/api/consensus/merges', { json });
async function merge(json: object): Promise<string> {
  const { rq_id: id } = await work.owner.good<{ rq_id: string }>('POST', '/api/consensus/merges', { json });
  return (await work.owner.finished(id)).message;
}
async function choose(task: Task, json: object): Promise<ConsensusSettings> {
  const { results } = await work.owner.good<Page<ConsensusSettings>>('GET', '/api/consensus/settings', {
    query: { task_id: task.id },
  });
  return work.owner.good('PATCH', `/api/consensus/settings/${results[0]?.id}`, { json });
}
async function restoredCopy({ id }: Task): Promise<number> {
  const { rq_id: made } = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${id}/backup/export`);
  const bytes = await work.owner.bytes((await work.owner.finished(made)).result_url ?? '');
  const { body } = await work.sendFile('/api/tasks/backup/', 'task_file', { name: 'backup.zip', bytes });
  return (await work.owner.finished((body as { rq_id: string }).rq_id)).result_id ?? 0;
}
const agreement = ({ id }: Task) => work.owner.good<Agreement>('GET', `/api/limner/tasks/${id}/agreement`);

describe('replicas', () => {
  test('belong to the jobs of a task, and are not counted in its progress', async () => {
    const { task, parents, replicasOf, jobs, car } = await replicated(3, { segment_size: 2 });
    expect(task.consensus_enabled).toBe(true);
    expect(task.jobs).toMatchObject({ count: 2, completed: 0 });
    expect(parents.map((one) => [one.replicas_count, one.consensus_replicas, one.parent_job_id])).toEqual([
      [3, 3, null],
      [3, 3, null],
    ]);
    const replicas = replicasOf(parents[1] as Job);
    expect(replicas).toHaveLength(3);
    expect(jobs).toHaveLength(8);
    expect(replicas[0]).toMatchObject({
      type: 'consensus_replica',
      start_frame: 2,
      stop_frame: 3,
      replicas_count: 0,
      stage: 'annotation',
      state: 'new',
    });
    await put(replicas[0] as Job, 2, [[car, [10, 10, 30, 30]]]);
    expect((await work.owner.annotations('tasks', task.id)).shapes).toEqual([]);
    expect((await held(replicas[0] as Job)).shapes).toHaveLength(1);
    expect(await work.owner.call('DELETE', `/api/jobs/${replicas[0]?.id}`)).toMatchObject({ status: 400 });
    // The state of a replica does not affect the task.
    const json = { stage: 'acceptance', state: 'completed' };
    await work.owner.good('PATCH', `/api/jobs/${replicas[0]?.id}`, { json });
    const after = await work.owner.good<Task>('GET', `/api/tasks/${task.id}`);
    expect(after).toMatchObject({ status: 'annotation', jobs: { count: 2, completed: 0 } });
    const listed = await work.owner.good<Page<Job>>('GET', '/api/jobs', {
      query: { filter: JSON.stringify({ '==': [{ var: 'parent_job_id' }, parents[0]?.id] }) },
    });
    expect(listed.count).toBe(3);
  });

  test('refuses a single replica', async () => {
    const json = { name: 'one', consensus_replicas: 1 };
    expect(await work.owner.call('POST', '/api/tasks', { json })).toMatchObject({ status: 400 });
  });

  test('are in a backup, and belong to their jobs again after a restore', async () => {
    const { task, parents, replicasOf, car } = await replicated(2, { segment_size: 3, overlap: 1 });
    const [first, second] = replicasOf(parents[1] as Job) as [Job, Job];
    await put(first, 2, [[car, [10, 10, 30, 30]]]);
    await put(second, 2, [[car, [10, 10, 30, 32]]]);
    const restored = await restoredCopy(task);
    const jobs = await work.jobsOf(restored);
    const places = new Map(jobs.map(({ id }, at) => [id, at]));
    const shown = (all: readonly Job[], known: ReadonlyMap<number, number>) =>
      all.map((one) => [one.type, one.start_frame, known.get(one.parent_job_id ?? 0), one.replicas_count]);
    const before = await work.jobsOf(task.id);
    expect(shown(jobs, places)).toEqual(shown(before, new Map(before.map(({ id }, at) => [id, at]))));
    const copies = jobs.filter((_, at) => [first.id, second.id].includes(before[at]?.id ?? 0));
    expect((await Promise.all(copies.map(held))).map(({ shapes }) => shapes.map(({ points }) => points))).toEqual([
      [[10, 10, 30, 30]],
      [[10, 10, 30, 32]],
    ]);
    expect((await work.owner.good<Task>('GET', `/api/tasks/${restored}`)).consensus_enabled).toBe(true);
  });
});

describe('merging', () => {
  test('replaces the annotations of the job with the consensus', async () => {
    const { task, parents, replicasOf, car, bus } = await replicated(3);
    const [parent] = parents as [Job];
    const [one, two, three] = replicasOf(parent) as [Job, Job, Job];
    const color = car.attributes[0]?.id;
    const painted = (value: string) => ({ attributes: [{ spec_id: color, value }] });
    await put(parent, 0, [[bus, [100, 10, 150, 60]]]);
    const lone: Drawn = [bus, [5, 70, 20, 90]];
    await put(one, 0, [[car, [10, 10, 30, 30]], [car, [60, 60, 80, 80], painted('red')], lone], [car]);
    const high = { z_order: 3, ...painted('blue') };
    await put(
      two,
      0,
      [
        [car, [60, 60, 80, 82], high],
        [car, [10, 10, 30, 30]],
      ],
      [car],
    );
    await put(
      three,
      0,
      [
        [bus, [10, 10, 30, 32]],
        [car, [61, 60, 81, 80], painted('blue')],
      ],
      [bus],
    );

    expect(await merge({ task_id: task.id })).toBe(
      `3 of 3 replicas were merged into job ${parent.id}: 3 objects. 2 objects dropped, because too few replicas agree on them.`,
    );
    const { shapes, tags } = await held(parent);
    const shown = shapes.map(({ id: _id, ...shape }) => shape).toSorted((a, b) => a.z_order - b.z_order);
    expect(shown).toMatchObject([
      { label_id: car.id, points: [10, 10, 30, 30], source: 'consensus', z_order: 0 },
      // Geometry of the annotator with the highest agreement, colour of the majority.
      { label_id: car.id, points: [60, 60, 80, 80], source: 'consensus', z_order: 3, ...painted('blue') },
    ]);
    // Two of three annotators gave the label to the same box; all gave it to boxes that overlap by this much.
    expect(shown[0]?.score).toBeCloseTo(2 / 3, 6);
    expect(shown[1]?.score).toBeCloseTo((1 + 400 / 440 + 380 / 420) / 3, 6);
    expect(tags).toMatchObject([{ frame: 1, label_id: car.id, source: 'consensus' }]);
    expect(await job(parent)).toMatchObject({ stage: 'annotation', state: 'completed' });

    const changes = await work.owner.good<{ results: { id: number; kind: string }[] }>(
      'GET',
      '/api/limner/annotation-changes',
      { query: { task_id: task.id } },
    );
    expect(changes.results[0]).toMatchObject({ kind: 'replace' });
    await work.owner.good('POST', `/api/limner/annotation-changes/${changes.results[0]?.id}/undo`);
    expect((await held(parent)).shapes).toMatchObject([{ label_id: bus.id, points: [100, 10, 150, 60] }]);
  });

  test('uses the overlap and the quorum of the task', async () => {
    const { task, parents, replicasOf, car } = await replicated(2);
    const [parent] = parents as [Job];
    const [one, two] = replicasOf(parent) as [Job, Job];
    await put(one, 0, [[car, [0, 0, 20, 20]]]);
    await put(two, 0, [[car, [0, 0, 20, 12]]]);
    await merge({ job_id: parent.id });
    expect((await held(parent)).shapes).toHaveLength(1);
    expect(await choose(task, { iou_threshold: 0.7 })).toMatchObject({ iou_threshold: 0.7, quorum: 0.5 });
    await merge({ job_id: parent.id });
    expect((await held(parent)).shapes).toHaveLength(2);
    expect(await choose(task, { quorum: 1 })).toMatchObject({ iou_threshold: 0.7, quorum: 1 });
    await merge({ job_id: parent.id });
    expect((await held(parent)).shapes).toEqual([]);
  });

  test('merges polygons, masks, lines, points and skeletons by kind', async () => {
    const { parents, replicasOf, car } = await replicated(2);
    const [parent] = parents as [Job];
    const drawn: Drawn[] = [
      [car, [10, 10, 40, 10, 40, 40, 10, 40], { type: 'polygon' }],
      [car, [100, 20, 180, 20], { type: 'polyline' }],
      [car, [150, 80, 155, 85], { type: 'points' }],
      [car, [100, 50, 120, 40], { type: 'ellipse' }],
    ];
    for (const replica of replicasOf(parent)) await put(replica, 0, drawn);
    await merge({ job_id: parent.id });
    const { shapes } = await held(parent);
    const kinds = ({ type, points }: Pick<Shape, 'type' | 'points'>): string => `${type} ${points.join()}`;
    expect(shapes.map(kinds).sort()).toEqual(
      drawn.map(([, points, more]) => kinds({ points: [...points], ...(more as Pick<Shape, 'type'>) })).sort(),
    );
    expect(shapes.map(({ score }) => score)).toEqual([1, 1, 1, 1]);
  });

  test('ignores replicas that were not started, and jobs after the annotation stage', async () => {
    const { task, parents, replicasOf, car } = await replicated(2, { segment_size: 2 });
    const [first, second] = parents as [Job, Job];
    expect(await start({ task_id: task.id })).toMatchObject({ status: 400 });
    await put(replicasOf(first)[0] as Job, 0, [[car, [0, 0, 20, 20]]]);
    expect(await merge({ task_id: task.id })).toBe(
      `1 of 2 replicas were merged into job ${first.id}: 1 object. ` +
        `Not merged, because past annotation or without a started replica: job ${second.id}.`,
    );
    await work.owner.good('PATCH', `/api/jobs/${first.id}`, { json: { stage: 'validation' } });
    expect(await start({ job_id: first.id })).toMatchObject({ status: 400 });
    expect(await start({ job_id: second.id })).toMatchObject({ status: 400 });
    // An empty replica counts as "no objects" once its state says that it was annotated.
    for (const { id } of replicasOf(second)) {
      await work.owner.good('PATCH', `/api/jobs/${id}`, { json: { state: 'completed' } });
    }
    await put(second, 2, [[car, [0, 0, 20, 20]]]);
    await merge({ job_id: second.id });
    expect((await held(second)).shapes).toEqual([]);
  });

  test("refuses invalid merges in CVAT's words", async () => {
    const plain = await work.owner.taskWithImages({ labels, segment_size: 1 }, images);
    const task = await work.owner.taskWithImages({ labels, consensus_replicas: 2, segment_size: 1 }, images);
    const jobs = await work.jobsOf(task.id);
    const idOf = (type: string) => jobs.find((job) => job.type === type)?.id;
    for (const [json, reason] of [
      [{ task_id: plain.id }, 'Consensus is not enabled in this task'],
      [{ task_id: task.id }, 'No annotation jobs in the annotation stage'],
      [{ job_id: idOf('annotation') }, 'No annotated consensus jobs found for parent job'],
      [{ job_id: idOf('consensus_replica') }, 'No annotated consensus jobs found for parent job'],
    ] as const) {
      const answer = await work.owner.call('POST', '/api/consensus/merges', { json });
      expect(answer).toMatchObject({ status: 400, body: [expect.stringContaining(reason)] });
    }
  });

  test('merges tracks that most replicas agree on over their frames', async () => {
    const { parents, replicasOf, car, bus } = await replicated(3);
    const [parent] = parents as [Job];
    const track = (label: Label, x: number, last = 3) => ({
      frame: 0,
      label_id: label.id,
      shapes: [0, last].map((frame) => ({
        frame,
        type: 'rectangle',
        points: [x + 10 * frame, 10, x + 10 * frame + 40, 50],
        outside: false,
      })),
    });
    const drawn = [
      [track(car, 0), track(car, 100)],
      [track(car, 2)],
      // Another label, and elsewhere: no majority.
      [track(bus, 4), track(car, 140)],
    ];
    for (const [at, tracks] of drawn.entries())
      await work.owner.good('PUT', `/api/jobs/${replicasOf(parent)[at]!.id}/annotations`, { json: { tracks } });
    expect(await merge({ job_id: parent.id })).toContain('1 object');
    const { tracks } = await held(parent);
    expect(tracks).toMatchObject([{ label_id: car.id, source: 'consensus', frame: 0 }]);
    // The member that is nearest to the others.
    expect([0, 2]).toContain(tracks[0]!.shapes[0]!.points[0]);
    expect(tracks[0]!.shapes.map(({ frame }) => frame)).toEqual([0, 3]);
  });

  test('merges cuboids by their outline and front face', async () => {
    const { parents, replicasOf, car } = await replicated(2);
    const [parent] = parents as [Job];
    // The corners of the edges: front left, front right, back right, back left.
    const cuboid = (x: number, depth = 20): Drawn => {
      const edge = (at: number, top: number, bottom: number) => [at, top, at, bottom];
      const points = [edge(x, 20, 80), edge(x + 50, 20, 80), edge(x + 50 + depth, 10, 70), edge(x + depth, 10, 70)];
      return [car, points.flat(), { type: 'cuboid' }];
    };
    const [one, two] = replicasOf(parent) as [Job, Job];
    await choose((await work.owner.task(parent.task_id)) as Task, { quorum: 1 });
    await put(one, 0, [cuboid(10), cuboid(100)]);
    await put(two, 0, [cuboid(12), cuboid(140)]);
    expect(await merge({ job_id: parent.id })).toContain('1 object');
    const { shapes } = await held(parent);
    expect(shapes).toMatchObject([{ type: 'cuboid', label_id: car.id, source: 'consensus' }]);
    expect([10, 12]).toContain(shapes[0]!.points[0]);
  });
});

describe('agreement', () => {
  test('is measured between annotators over all shared jobs', async () => {
    const { task, parents, replicasOf, car, bus, tram } = await replicated(2, { segment_size: 2 });
    const named = { c: car, b: bus, t: tram };
    const drawn = (names: string, frame: number) =>
      [...names].map((name, at): Drawn => {
        const label = named[name as 'c'];
        return [label, [10 + 25 * at, 10, 30 + 25 * at, 30], { frame }];
      });
    const said = [
      ['cccbbcb', 'ccbbbcc'],
      ['ccbcbtt', 'ccbbbtc'],
    ] as const;
    const users = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const client = await work.workbench.addUser(name);
        return client.good<{ id: number }>('GET', '/api/users/self');
      }),
    );
    for (const [at, parent] of parents.entries()) {
      for (const [who, replica] of replicasOf(parent).entries()) {
        await put(replica, at * 2, drawn(said[at]?.[who] ?? '', at * 2));
        await work.owner.good('PATCH', `/api/jobs/${replica.id}`, { json: { assignee: users[who]?.id } });
      }
    }
    const answer = await agreement(task);
    expect(answer.annotators.map(({ user, jobs }) => [user?.username, jobs.length])).toEqual([
      ['first', 2],
      ['second', 2],
    ]);
    expect(answer).toMatchObject({ jobs: 2, overall: { matched: 14, agreed: 10 } });
    const [pair] = answer.pairs;
    expect(pair).toMatchObject({ first: 0, second: 1, frames: 4, objects_first: 14, matched: 14, agreed: 10 });
    expect(pair?.f1).toBeCloseTo(20 / 28, 9);
    expect(pair?.accuracy).toBeCloseTo(10 / 14, 9);
    // From scikit-learn 1.9: cohen_kappa_score('cccbbcbccbcbtt', 'ccbbbccccbbbtc'), letter by letter.
    expect(pair?.kappa).toBeCloseTo(0.5130434782608696, 9);
    expect(pair?.differences).toMatchObject([
      { frame: 0, count: 2, job_first: replicasOf(parents[0] as Job)[0]?.id },
      { frame: 2, count: 2 },
    ]);
    const { content } = await work.owner.good<{ content: string }>(
      'GET',
      `/api/limner/tasks/${task.id}/agreement/file`,
      { query: { format: 'csv' } },
    );
    expect(content.split('\n')[1]).toMatch(/^first,second,4,14,14,14,10,0\.714285\d+,0\.714285\d+,0\.51304\d+$/);
  });

  test('of an empty frame is undefined; a different tag counts as disagreement', async () => {
    const { task, parents, replicasOf, car, bus } = await replicated(2);
    const [one, two] = replicasOf(parents[0] as Job) as [Job, Job];
    expect(await agreement(task)).toMatchObject({
      jobs: 0,
      annotators: [],
      pairs: [],
      overall: { f1: null, kappa: null },
    });
    await put(one, 0, [], [car]);
    await put(two, 0, [], [bus]);
    expect(await agreement(task)).toMatchObject({
      annotators: [
        { user: null, jobs: [one.id] },
        { user: null, jobs: [two.id] },
      ],
      pairs: [{ matched: 1, agreed: 0, f1: 0, kappa: 0 }],
    });
  });
});

test('a merge that was interrupted by the end of the program runs once at the next start', async () => {
  const first = await startWork();
  const task = await first.owner.taskWithImages({ labels, consensus_replicas: 2, segment_size: 1 }, images);
  const [car] = await first.labelsOf({ task_id: task.id });
  const jobs = await first.jobsOf(task.id);
  for (const one of jobs) {
    const shapes = [
      { frame: one.start_frame, label_id: car?.id ?? 0, type: 'mask' as const, points: [0, 10_000, 0, 0, 99, 99] },
      { frame: one.start_frame, label_id: car?.id ?? 0, type: 'rectangle' as const, points: [100, 0, 150, 50] },
    ];
    if (one.type === 'consensus_replica') await first.owner.changeAnnotations('jobs', one.id, 'create', { shapes });
  }
  const json = { task_id: task.id };
  const { rq_id: id } = await first.owner.good<{ rq_id: string }>('POST', '/api/consensus/merges', { json });
  const again = await first.workbench.restart();
  try {
    expect(await again.owner.finished(id)).toMatchObject({ status: 'finished', operation: { type: 'merge:task' } });
    const parents = jobs.filter(({ type }) => type === 'annotation');
    const counts = parents.map(async (one) => (await again.owner.annotations('jobs', one.id)).shapes.length);
    expect(await Promise.all(counts)).toEqual(parents.map(() => 2));
    const changes = await again.owner.good<{ results: unknown[] }>('GET', '/api/limner/annotation-changes', {
      query: { task_id: task.id },
    });
    expect(changes.results).toHaveLength(1);
  } finally {
    await again.stop();
  }
});
