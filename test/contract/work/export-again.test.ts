import { beforeAll, describe, expect, test } from 'vitest';
import type { Job, Project, Task } from '../../../preload/contract/schema/resources.ts';
import type { Target } from '../../support/client.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { pictures, useWork } from './work-harness.ts';

const work = await useWork();
const { owner } = work;

let project: Project;
let task: Task;
let job: Job;
beforeAll(async () => {
  project = await owner.createProject('fleet', [{ name: 'car' }]);
  task = await makeTask('one', project.id, 3);
  job = (await work.jobsOf(task.id))[0]!;
});
const makeTask = async (name: string, projectId: number, count: number): Promise<Task> =>
  owner.taskWithImages({ name, project_id: projectId, subset: 'Train' }, await pictures(count));
const car = async () => (await work.labelsOf({ project_id: project.id }))[0]!;
const idOf = (name: string) => work.tasks().then((all) => all.find((one) => one.name === name)!.id);
const patch = (path: string, json: object) => owner.good('PATCH', `/api/${path}`, { json });

const targets = { projects: () => project.id, tasks: () => task.id, jobs: () => job.id };

/** Images, labels and objects of an exported file, without its time of export. */
async function exported(target: Target): Promise<string> {
  const { result_url: url } = await owner.finished(
    await owner.startExport(target, targets[target as keyof typeof targets](), 'CVAT for images 1.1', true),
  );
  const entries = await entriesOf(await owner.bytes(url!));
  const xml = String(entries['annotations.xml']).replaceAll(/<(dumped|updated)>[^<]*/g, '');
  return [xml, ...Object.keys(entries)].join('\n');
}

const everywhere: readonly Target[] = ['projects', 'tasks', 'jobs'];
interface Change {
  readonly what: string;
  readonly make: () => Promise<unknown>;
  readonly gains?: string;
  readonly loses?: string;
  readonly of?: readonly Target[];
}

/** Applied one after the other; each depends on those before it. */
const changes: readonly Change[] = [
  {
    what: 'a frame deleted in the job',
    make: () => patch(`jobs/${job.id}/data/meta`, { deleted_frames: [1] }),
    loses: 'name="1.png"',
  },
  {
    what: 'the frame restored in the job',
    make: () => patch(`jobs/${job.id}/data/meta`, { deleted_frames: [] }),
    gains: 'name="1.png"',
  },
  {
    what: 'a frame deleted in the task',
    make: () => patch(`tasks/${task.id}/data/meta`, { deleted_frames: [2] }),
    loses: 'name="2.png"',
  },
  {
    what: 'the frame restored in the task',
    make: () => patch(`tasks/${task.id}/data/meta`, { deleted_frames: [] }),
    gains: 'name="2.png"',
  },
  {
    what: 'an object drawn in the job',
    make: async () =>
      owner.changeAnnotations('jobs', job.id, 'create', {
        shapes: [{ type: 'rectangle', frame: 0, label_id: (await car()).id, points: [1, 2, 3, 4] }],
      }),
    gains: '<box label="car"',
  },
  {
    what: 'all objects of the task cleared',
    make: () => owner.clearAnnotations('tasks', task.id),
    loses: '<box label="car"',
  },
  {
    what: 'a label renamed',
    make: async () => patch(`labels/${(await car()).id}`, { name: 'lorry' }),
    gains: '<name>lorry</name>',
    loses: '<name>car</name>',
  },
  {
    what: 'a label added',
    make: () => patch(`projects/${project.id}`, { labels: [{ name: 'bus' }] }),
    gains: '<name>bus</name>',
  },
  {
    what: 'the task renamed',
    make: () => patch(`tasks/${task.id}`, { name: 'first' }),
    gains: '<name>first</name>',
    loses: '<name>one</name>',
  },
  {
    what: 'the task put into another subset',
    make: () => patch(`tasks/${task.id}`, { subset: 'Validation' }),
    gains: 'images/Validation/',
    loses: 'images/Train/',
    of: ['projects'],
  },
  {
    what: 'the project renamed',
    make: () => patch(`projects/${project.id}`, { name: 'vehicles' }),
    gains: '<name>vehicles</name>',
    loses: '<name>fleet</name>',
    of: ['projects'],
  },
  {
    what: 'a task added to the project',
    make: () => makeTask('two', project.id, 1),
    gains: '<name>two</name>',
    of: ['projects'],
  },
  {
    what: 'the added task deleted',
    make: async () => owner.good('DELETE', `/api/tasks/${await idOf('two')}`),
    loses: '<name>two</name>',
    of: ['projects'],
  },
  {
    what: 'a task moved into the project',
    make: async () => {
      const { id } = await owner.createProject('depot', [{ name: 'lorry' }]);
      const moved = await makeTask('three', id, 1);
      await patch(`tasks/${moved.id}`, { project_id: project.id });
    },
    gains: '<name>three</name>',
    of: ['projects'],
  },
  {
    what: 'the task moved out of the project',
    make: async () => {
      const { id } = (await work.projects()).find(({ name }) => name === 'depot')!;
      await patch(`tasks/${await idOf('three')}`, { project_id: id });
    },
    loses: '<name>three</name>',
    of: ['projects'],
  },
];

describe('a repeated export', () => {
  test.each(changes)('runs again with $what', async ({ make, gains, loses, of = everywhere }) => {
    const before = new Map<Target, string>();
    for (const target of of) before.set(target, await exported(target));
    await make();
    for (const target of of) {
      const after = await exported(target);
      const state = (text: string) => ({
        target,
        gained: gains === undefined ? null : text.includes(gains),
        kept: loses === undefined ? null : text.includes(loses),
      });
      expect(state(before.get(target)!)).toEqual({ target, gained: gains ? false : null, kept: loses ? true : null });
      expect(state(after)).toEqual({ target, gained: gains ? true : null, kept: loses ? false : null });
    }
  });

  test('reuses the same request and file if nothing changed', async () => {
    for (const target of everywhere) {
      expect(await exported(target)).toBe(await exported(target));
      const start = () => owner.startExport(target, targets[target as keyof typeof targets](), 'COCO 1.0');
      const first = await owner.finished(await start());
      expect((await owner.finished(await start())).id).toBe(first.id);
    }
  });
});
