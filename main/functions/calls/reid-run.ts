import type { Shape, Track, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { ForwardedError } from '../../platform/errors.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import { readFrameImage } from './region.ts';
import { functionPayload } from './function-payload.ts';
import { emptyData, type DetectorRunDependencies, type DetectorRunInput } from './detector-run.ts';

export interface ReidRunInput extends DetectorRunInput {
  /** Tracks do not cross job borders. */
  readonly jobs: readonly JobRow[];
}

interface Path {
  readonly labelId: number;
  readonly boxes: Shape[];
}

/**
 * Merges matching rectangles of neighbouring frames into tracks, job by job; other shapes stay. Each job is changed at
 * once, after its last frame.
 */
export async function runReid(dependencies: DetectorRunDependencies, input: ReidRunInput): Promise<RequestResult> {
  const { jobs, run } = input;
  let tracks = 0;
  for (const [index, job] of jobs.entries()) {
    const progress = (fraction: number) => run.progress((index + fraction) / jobs.length, `Job ${job.id}`);
    tracks += await runJob(dependencies, input, job, progress);
  }
  return { message: `Created ${tracks} ${tracks === 1 ? 'track' : 'tracks'} from the rectangles.` };
}

async function runJob(
  dependencies: DetectorRunDependencies,
  input: ReidRunInput,
  job: JobRow,
  progress: (fraction: number) => void,
): Promise<number> {
  const { annotations, database } = dependencies;
  const { actor, run, numbers, labels } = input;
  const { shapes } = annotations.readJob(actor, job.id);
  const boxes = shapes.filter(({ type }) => type === 'rectangle');
  const frames = numbers.filter((frame) => frame >= job.start_frame && frame <= job.stop_frame);
  const paths = await findPaths(dependencies, input, boxes, frames, progress);
  run.signal.throwIfAborted();
  if (paths.length === 0) return 0;
  const tracks = paths.map((path) => trackOf(path, job, labels));
  const linked = paths.flatMap((path) => path.boxes);
  database.write(() => {
    annotations.changeJob(actor, job.id, 'delete', { ...emptyData, shapes: linked });
    annotations.changeJob(actor, job.id, 'create', { ...emptyData, tracks });
  });
  return tracks.length;
}

async function findPaths(
  dependencies: DetectorRunDependencies,
  input: ReidRunInput,
  boxes: readonly Shape[],
  frames: readonly number[],
  progress: (fraction: number) => void,
): Promise<Path[]> {
  const byFrame = Map.groupBy(boxes, ({ frame }) => frame);
  const paths = new Map<Shape, Path>();
  const pathOf = (box: Shape): Path => {
    const known = paths.get(box);
    if (known) return known;
    const path = { labelId: box.label_id, boxes: [box] };
    paths.set(box, path);
    return path;
  };
  for (const [index, frame] of frames.entries()) {
    const here = byFrame.get(frame) ?? [];
    for (const box of here) pathOf(box);
    const nextFrame = frames[index + 1];
    const there = nextFrame === undefined ? [] : (byFrame.get(nextFrame) ?? []);
    if (nextFrame !== undefined && here.length > 0 && there.length > 0) {
      const matches = await match(dependencies, input, [frame, nextFrame], [here, there]);
      for (const [from, to] of matches.entries()) {
        const [first, second] = [here[from], there[to]];
        if (!first || !second || first.label_id !== second.label_id || paths.has(second)) continue;
        const path = pathOf(first);
        path.boxes.push(second);
        paths.set(second, path);
      }
    }
    progress((index + 1) / frames.length);
  }
  return [...new Set(paths.values())];
}

async function match(
  { frames, models }: DetectorRunDependencies,
  { model, range, parameters, run }: ReidRunInput,
  [first, second]: readonly [number, number],
  [boxes0, boxes1]: readonly [readonly Shape[], readonly Shape[]],
): Promise<number[]> {
  const { signal } = run;
  const options = { region: null, formats: model.description.imageFormats, signal };
  const images = {
    image0: (await readFrameImage(frames, range, first, options)).bytes,
    image1: (await readFrameImage(frames, range, second, options)).bytes,
  };
  const fields = {
    boxes0,
    boxes1,
    threshold: parameters.threshold ?? undefined,
    max_distance: parameters.maxDistance ?? undefined,
  };
  const answer = await models.call(model, functionPayload(images, fields), signal);
  if (Array.isArray(answer)) return answer.map(Number);
  throw new ForwardedError(500, `The function "${model.description.id}" did not return a list of matches.`);
}

/** Attributes that change per frame stay in the shapes; the others belong to the track. */
function trackOf({ labelId, boxes }: Path, job: JobRow, labels: readonly Label[]): Track {
  const [first] = boxes;
  const label = labels.find(({ id }) => id === labelId);
  const isMutable = (specId: number) => label?.attributes.find(({ id }) => id === specId)?.mutable === true;
  const shapes = boxes.map((box): TrackedShape => ({
    type: 'rectangle',
    frame: box.frame,
    points: box.points,
    occluded: box.occluded,
    outside: false,
    z_order: box.z_order,
    rotation: box.rotation,
    attributes: box.attributes.filter(({ spec_id: id }) => isMutable(id)),
  }));
  const last = shapes.at(-1);
  const ends = last && last.frame < job.stop_frame ? [{ ...last, frame: last.frame + 1, outside: true }] : [];
  return {
    frame: first?.frame ?? job.start_frame,
    label_id: labelId,
    group: 0,
    source: 'auto',
    attributes: (first?.attributes ?? []).filter(({ spec_id: id }) => !isMutable(id)),
    shapes: [...shapes, ...ends],
    elements: [],
  };
}
