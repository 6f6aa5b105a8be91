import type { KeyframeWrite, LabeledData, TrackedShape } from '../../../preload/contract/schema/annotations.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationFeed, SavedHow, SaveHead } from './annotation-feed.ts';
import type { AnnotationRepository } from './annotation-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData } from './annotation-writer.ts';

interface Dependencies {
  readonly annotations: Pick<AnnotationRepository, 'tracks'>;
  readonly sets: Pick<AnnotationSetRepository, 'liveJob'>;
  readonly news: AnnotationFeed;
  readonly edited: (actor: Actor, kind: 'job', jobId: number) => Target;
  readonly once: <Answer>(key: string | undefined, actor: Actor, save: () => Answer) => Answer;
  readonly check: (target: Target, data: LabeledData) => void;
  readonly saved: <Result>(actor: Actor, target: Target, save: () => Result) => Result;
  readonly touch: (target: Target) => void;
  readonly tell: (news: AnnotationFeed, actor: Actor, target: Target, data: LabeledData, how: SavedHow) => void;
}

/** Ids of a job and of a track in it, and a frame of the job. */
export interface KeyframePlace {
  readonly id: number;
  readonly track: number;
  readonly frame: number;
}

/**
 * Changes of one keyframe. They read and write that keyframe only, while an update of a track sends and writes all of
 * them. Checks, idempotency and notices are those of an update of the track.
 */
export function createKeyframeChanges({
  annotations: { tracks },
  sets,
  news,
  edited,
  once,
  check,
  saved,
  touch,
  tell,
}: Dependencies) {
  /** @throws AppError if the job has no such track, or if it is a skeleton */
  function headIn(jobId: number, id: number) {
    const head = tracks.head(id);
    if (!head || sets.liveJob(head.set_id) !== jobId)
      throw notFound(`There is no track with id ${id} in job ${jobId}.`);
    if (head.hasElements) {
      throw invalidRequest(
        `Cannot save one keyframe of track ${id}: it is a skeleton, whose points have their own keyframes. Save the ` +
          'whole track.',
      );
    }
    return head;
  }

  function change<Answer>(
    actor: Actor,
    { id: jobId, track: trackId, frame }: KeyframePlace,
    { action, head: { key, window = null, seen } }: { readonly action: 'put' | 'delete'; readonly head: SaveHead },
    write: (
      place: ReturnType<typeof headIn>,
      check: (keyframe: TrackedShape) => void,
    ) => readonly [TrackedShape, Answer],
  ): Answer {
    const target = edited(actor, 'job', jobId);
    const { firstFrame, lastFrame, included } = target;
    if (frame < firstFrame || frame > lastFrame || included?.includes(frame) === false) {
      throw notFound(`Frame ${frame} is not in job ${jobId}.`);
    }
    let changed: LabeledData | null = null;
    const save = () =>
      once(key && `${target.name} ${action} keyframe ${trackId} ${frame} ${key}`, actor, () => {
        const head = headIn(jobId, trackId);
        const dataOf = (keyframe: TrackedShape): LabeledData => ({
          ...emptyData(),
          tracks: [{ ...head.track, frame, shapes: [keyframe] }],
        });
        news.requireSeen({ window, seen }, jobId, { ...emptyData(), tracks: [head.track] });
        const [keyframe, answer] = write(head, (sent) => check(target, dataOf(sent)));
        touch(target);
        changed = dataOf(keyframe);
        return answer;
      });
    const answer = saved(actor, target, save);
    if (changed) tell(news, actor, target, changed, { window, action: 'update', anyFrame: window === null });
    return answer;
  }

  return {
    /** Creates the keyframe, or replaces it. */
    putKeyframe: (actor: Actor, place: KeyframePlace, body: KeyframeWrite, head: SaveHead = {}): TrackedShape =>
      change(actor, place, { action: 'put', head }, (track, checkSent) => {
        const keyframe = { ...body, frame: place.frame };
        checkSent(keyframe);
        tracks.putKeyframe(track, keyframe);
        return [keyframe, keyframe];
      }),
    deleteKeyframe(actor: Actor, place: KeyframePlace, head: SaveHead = {}): void {
      change(actor, place, { action: 'delete', head }, (track) => {
        const stored = tracks.keyframe(track, place.frame);
        if (!stored) throw notFound(`Track ${place.track} has no keyframe on frame ${place.frame}.`);
        if (tracks.isOnlyKeyframe(track)) {
          throw invalidRequest(
            `Cannot delete the only keyframe of track ${place.track}: a track needs at least one. Delete the track.`,
          );
        }
        tracks.removeKeyframe(track, place.frame);
        return [stored, null];
      });
    },
  };
}
