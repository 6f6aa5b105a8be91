import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { MediaRepository } from '../tables/media-repository.ts';
import type { Target } from './annotation-targets.ts';
import type { AnnotationAction } from './annotation-writer.ts';

type Placed = Pick<Target, 'jobId' | 'jobs' | 'pooledMedia'>;

/** Tells whether a frame is one of the validation pool; null for jobs and tasks without a pool. */
function poolOf({ jobId, jobs, pooledMedia }: Placed): ((item: { readonly frame: number }) => boolean) | null {
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  if (jobId !== null || pooledMedia === null || !truth) return null;
  return ({ frame }) => frame >= truth.start_frame && frame <= truth.stop_frame;
}

const hasAny = ({ tags, shapes }: LabeledData, isChosen: (item: { readonly frame: number }) => boolean): boolean =>
  tags.some(isChosen) || shapes.some(isChosen);

/** Refuses tracks in tasks with a validation pool: honeypots repeat single images. */
export function requireNoTracks({ pooledMedia }: Placed, { tracks }: LabeledData): void {
  if (tracks.length > 0 && pooledMedia !== null)
    throw invalidRequest('Tracks are not supported when task validation mode is gt_pool');
}

/** Refuses changes of single objects of the pool through its task, as CVAT does. */
function requireOutsidePool(target: Placed, data: LabeledData): void {
  const isInPool = poolOf(target);
  if (isInPool && hasAny(data, isInPool))
    throw invalidRequest('Annotations on validation frames can only be edited via task import or the GT job');
}

/**
 * Annotations of a task with a validation pool: those of the pool are copied to its honeypots and replace what the client
 * sent for them, as in CVAT.
 */
export function withPoolCopies(
  target: Placed,
  data: LabeledData,
  action: AnnotationAction | 'replace',
  media: Pick<MediaRepository, 'honeypots'>,
): LabeledData {
  const isInPool = poolOf(target);
  if (!isInPool || target.pooledMedia === null) return data;
  if (action === 'update' || action === 'delete') {
    requireOutsidePool(target, data);
    return data;
  }
  if (action !== 'replace' && !hasAny(data, isInPool)) return data;
  const honeypots = media.honeypots(target.pooledMedia);
  const copiesOf = Map.groupBy(honeypots, ({ real_frame: real }) => real);
  const repeats = new Set(honeypots.map(({ frame }) => frame));
  const copied = <Item extends { readonly frame: number }>(items: readonly Item[]): Item[] =>
    items
      .filter(({ frame }) => !repeats.has(frame))
      .flatMap((item) => [item, ...(copiesOf.get(item.frame) ?? []).map(({ frame }) => onFrame(item, frame))]);
  return { ...data, tags: copied(data.tags), shapes: copied(data.shapes) };
}

/** A copy on another frame, without ids unless one is given. */
export function onFrame<Item extends { readonly frame: number }>(item: Item, frame: number, id?: number): Item {
  const elements = 'elements' in item ? (item.elements as readonly { readonly frame: number }[]) : undefined;
  return {
    ...item,
    id,
    frame,
    ...(elements && { elements: elements.map((element) => onFrame(element, frame)) }),
  };
}
