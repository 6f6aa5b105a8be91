import type { LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { below, pick, pickSome, type Random } from '../../support/random.ts';
import {
  contents,
  keyOf,
  type Edit,
  type Kind,
  type Model,
  type ShapeInput,
  type TagInput,
  type TrackInput,
} from './annotation-model.ts';

interface EditedJob {
  readonly id: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}

export interface EditedTask {
  readonly id: number;
  readonly jobs: readonly EditedJob[];
  readonly labelId: number;
  readonly skeletonId: number;
  readonly elementIds: readonly number[];
}

/** Above this number of objects deletions become likely, which keeps the tests fast. */
const manyObjects = 250;

const coordinate = (random: Random, limit: number) => Math.round(random() * limit * 100) / 100;

function randomPoints(random: Random, type: ShapeInput['type']): number[] {
  const pairs = (count: number) =>
    Array.from({ length: 2 * count }, (_, index) => coordinate(random, index % 2 === 0 ? 300 : 200));
  switch (type) {
    case 'rectangle':
      return [10, 20, 40 + coordinate(random, 200), 60 + coordinate(random, 100)];
    case 'ellipse':
      return [100, 100, 130 + coordinate(random, 50), 20 + coordinate(random, 50)];
    case 'polygon':
      return pairs(3 + below(random, 20));
    case 'polyline':
      return pairs(2 + below(random, 8));
    default:
      return pairs(1 + below(random, 5));
  }
}

function createObjects(random: Random, task: EditedTask) {
  const frameOf = (job: EditedJob) => job.firstFrame + below(random, job.lastFrame - job.firstFrame + 1);

  function shape(jobs: readonly EditedJob[]): ShapeInput {
    const frame = frameOf(pick(random, jobs));
    const common = { frame, z_order: below(random, 3), occluded: random() < 0.5, group: below(random, 3) };
    if (random() < 0.15) {
      const elements = task.elementIds.map((label_id) => ({
        type: 'points' as const,
        frame,
        label_id,
        points: randomPoints(random, 'points').slice(0, 2),
        occluded: random() < 0.5,
      }));
      return { ...common, type: 'skeleton', label_id: task.skeletonId, points: [], elements };
    }
    const type = pick(random, ['rectangle', 'ellipse', 'polygon', 'polyline', 'points'] as const);
    const rotation = type === 'rectangle' ? below(random, 360) : 0;
    return { ...common, type, label_id: task.labelId, points: randomPoints(random, type), rotation };
  }

  /** The last keyframe is outside, so that the track does not continue in the next job. */
  function track(jobs: readonly EditedJob[]): TrackInput {
    const job = pick(random, jobs);
    const keyframe = (frame: number, outside: boolean) => ({
      type: 'rectangle' as const,
      frame,
      outside,
      points: randomPoints(random, 'rectangle'),
    });
    return {
      frame: job.firstFrame,
      label_id: task.labelId,
      shapes: [keyframe(job.firstFrame, false), keyframe(job.lastFrame, true)],
    };
  }

  const tag = (jobs: readonly EditedJob[]): TagInput => ({
    frame: frameOf(pick(random, jobs)),
    label_id: task.labelId,
    group: 1 + below(random, 1000),
  });
  const many = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make);

  return {
    shape,
    tag,
    track,
    batch(jobs: readonly EditedJob[]): LabeledDataInput {
      const size = random() < 0.1 ? 100 : random() < 0.5 ? 1 : 1 + below(random, 12);
      const tags = random() < 0.3 ? below(random, 3) : 0;
      const tracks = random() < 0.3 ? below(random, 3) : 0;
      return {
        shapes: many(size, () => shape(jobs)),
        tags: many(tags, () => tag(jobs)),
        tracks: many(tracks, () => track(jobs)),
      };
    },
  };
}

/** A random edit like those of a user's client: creations, changes, deletions, sometimes of everything. */
export function randomEdit(random: Random, task: EditedTask, model: Model): Edit {
  const objects = createObjects(random, task);
  const isWholeTask = random() < 0.5;
  const job = pick(random, task.jobs);
  const jobs = isWholeTask ? task.jobs : [job];
  const where = isWholeTask ? ({ target: 'tasks', id: task.id } as const) : ({ target: 'jobs', id: job.id } as const);
  const choice = random();
  const isFull = model.size > manyObjects;
  if (model.size === 0 || (choice < 0.4 && !isFull)) return creation(where, objects.batch(jobs));
  // Changes are sent to the task, and the service finds the job of each object.
  const inTask = { target: 'tasks', id: task.id } as const;
  if (choice < 0.02) return replacement(inTask, objects.batch(task.jobs), model);
  if (choice < 0.03) return { method: 'DELETE', ...inTask, changes: allRemoved(model), added: [] };
  const keys = [...model.keys()];
  const count = isFull ? 60 : random() < 0.5 ? 1 : 1 + below(random, 20);
  const chosen = pickSome(random, keys, count);
  return choice > 0.75 || isFull ? deletion(inTask, chosen, model) : change(inTask, chosen, task, model, objects);
}

type Where = Pick<Edit, 'target' | 'id'>;

const allRemoved = (model: Model) => new Map([...model.keys()].map((key): [string, null] => [key, null]));

function creation(where: Where, body: LabeledDataInput): Edit {
  return { method: 'PATCH', action: 'create', ...where, body, changes: new Map(), added: contents(body) };
}

function replacement(where: Where, body: LabeledDataInput, model: Model): Edit {
  return { method: 'PUT', ...where, body, changes: allRemoved(model), added: contents(body) };
}

const idOf = (key: string) => Number(key.slice(key.indexOf(' ') + 1));
const isKind = (key: string, kind: Kind) => key.startsWith(`${kind} `);

/** Frame of an object, or first frame of a track, from its content. */
function frameOf(key: string, model: Model): number {
  const content = JSON.parse(model.get(key) ?? '[]') as unknown[];
  if (isKind(key, 'tracks')) return Number((content[2] as unknown[][])[0]?.[0]);
  return Number(content[isKind(key, 'shapes') ? 1 : 0]);
}

/** Objects move only within their job, because another job would create new objects. */
function change(
  where: Where,
  keys: readonly string[],
  task: EditedTask,
  model: Model,
  objects: ReturnType<typeof createObjects>,
): Edit {
  const jobsOf = (key: string) =>
    task.jobs.filter((job) => frameOf(key, model) >= job.firstFrame && frameOf(key, model) <= job.lastFrame);
  const changed = <Item extends object>(kind: Kind, make: (jobs: EditedJob[]) => Item) =>
    keys.filter((key) => isKind(key, kind)).map((key) => ({ ...make(jobsOf(key)), id: idOf(key) }));
  const body = {
    shapes: changed('shapes', objects.shape),
    tags: changed('tags', objects.tag),
    tracks: changed('tracks', objects.track),
  };
  const changes = new Map(contents(body).map(({ kind, id, content }) => [keyOf(kind, id), content]));
  return { method: 'PATCH', action: 'update', ...where, body, changes, added: [] };
}

/** A deletion names objects by id. The other fields are those that every client sends. */
function deletion(where: Where, keys: readonly string[], model: Model): Edit {
  const objects = (kind: Kind) =>
    keys
      .filter((key) => isKind(key, kind))
      .map((key) => ({ id: idOf(key), content: JSON.parse(model.get(key) ?? '[]') as unknown[] }));
  const body: LabeledDataInput = {
    shapes: objects('shapes').map(({ id, content }) => ({
      id,
      type: content[0] as ShapeInput['type'],
      frame: Number(content[1]),
      label_id: Number(content[2]),
      points: content[3] as number[],
    })),
    tags: objects('tags').map(({ id, content }) => ({ id, frame: Number(content[0]), label_id: Number(content[1]) })),
    tracks: objects('tracks').map(({ id, content }) => ({ id, frame: 0, label_id: Number(content[0]), shapes: [] })),
  };
  const changes = new Map(keys.map((key): [string, null] => [key, null]));
  return { method: 'PATCH', action: 'delete', ...where, body, changes, added: [] };
}
