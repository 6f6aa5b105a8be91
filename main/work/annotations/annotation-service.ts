import { createHash } from 'node:crypto';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { indexRanges } from '../../../preload/geometry/frame-spans.ts';
import type { TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { Store } from '../../db/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { WorkChanges } from '../changes.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import { labelOwner, type LabelRepository } from '../tables/label-repository.ts';
import type { MediaRepository } from '../tables/media-repository.ts';
import type { ProjectRow } from '../tables/project-table.ts';
import type { Rows } from '../tables/rows.ts';
import type { TaskRow } from '../tables/task-table.ts';
import type { WorkAccess } from '../work-access.ts';
import type { AnnotationDigests } from './annotation-digest-repository.ts';
import type { AnnotationFeed, SavedHow, SaveHead } from './annotation-feed.ts';
import { createAnnotationReading, type AnnotationReading, type Client } from './annotation-reading.ts';
import type { AnnotationRepository, Wanted } from './annotation-repository.ts';
import { checkAnnotations, checkFrames, checkIds, indexLabels, type LabelIndex } from './annotation-rules.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import { createAnnotationTargets, type AnnotationTargets, type Target } from './annotation-targets.ts';
import { createAnnotationWriter, emptyData, partsOf, spanOf, type AnnotationAction } from './annotation-writer.ts';
import { createClearFrames } from './clear-frames.ts';
import { requireNoTracks, withPoolCopies } from './pool-copies.ts';
import { withAttributeDefaults } from './attribute-defaults.ts';
import type { ReplacedAnnotations } from './replaced-annotations.ts';
import type { IdempotencyRepository } from './idempotency-repository.ts';
import { createKeyframeChanges } from './keyframe-changes.ts';
import { createLargeSaves } from './large-saves.ts';
import { createReplaceJobs, headOf, jobIdsOf, withoutIds } from './replace-jobs.ts';
import { createSerialisedReads, type SerialisedReads } from './serialised-reads.ts';
import type { FrameWindow } from './shape-repository.ts';
import { withSkeletonStarts } from './skeleton-starts.ts';
import type { StagedSaveRepository } from './staged-save-repository.ts';

export type AnnotationService = ReturnType<typeof createAnnotationService>;

export interface AnnotationDependencies {
  readonly database: Store;
  readonly access: WorkAccess;
  readonly annotations: AnnotationRepository;
  readonly sets: AnnotationSetRepository;
  readonly idempotency: IdempotencyRepository;
  readonly staged: StagedSaveRepository;
  readonly tasks: Rows<TaskRow>;
  readonly jobs: JobRepository;
  readonly media: Pick<MediaRepository, 'honeypots'>;
  readonly projects: Rows<ProjectRow>;
  readonly labels: LabelRepository;
  readonly changes: WorkChanges;
  readonly clock: Clock;
  /** Saves removed annotations so that the removal can be undone. */
  readonly replaced: ReplacedAnnotations;
  readonly news: AnnotationFeed;
}

const idOf = ({ id }: { readonly id: number }): number => id;

interface ReadDependencies extends Pick<AnnotationDependencies, 'annotations' | 'news'> {
  readonly targets: AnnotationTargets;
  readonly labelIndex: (target: Target) => LabelIndex;
}

export function parseAction(action: string | undefined): AnnotationAction {
  if (action === 'create' || action === 'update' || action === 'delete') return action;
  const message = "Please specify a correct 'action' for the request";
  throw new AppError('invalid', message, [message]);
}

/**
 * Annotations of jobs and tasks. Every change is one transaction: all data is checked first, then written together with
 * the dates of the job, the task and the project. Ids of updated objects do not change. A save with a key is applied
 * once, even if sent repeatedly.
 */
export function createAnnotationService(dependencies: AnnotationDependencies) {
  const { database, access, annotations, sets, idempotency, tasks, jobs } = dependencies;
  const { projects, labels, changes, clock, replaced, news, media, staged } = dependencies;
  const writer = createAnnotationWriter(annotations, sets);
  const targets = createAnnotationTargets(access, jobs);
  const serialised = createSerialisedReads(database);

  const labelIndex = createLabelIndexes(labels, database, serialised);

  /**
   * Every save passes through here, so that cached responses of other jobs stay valid. `data` is checked before the
   * first write.
   */
  function saved<Result>(
    actor: Actor,
    target: Target,
    save: () => Result,
    { data, onlyDates = true }: { readonly data?: LabeledData | false; readonly onlyDates?: boolean } = {},
  ): Result {
    const { taskId, projectId, organizationId } = target;
    const jobIds = jobIdsOf(target);
    const place = { projectId, organizationId };
    const watched = { jobs: jobIds, tasks: [taskId], projects: [projectId], place, onlyDates };
    return serialised.change(jobIds, (era) => {
      if (data) check(target, data, era);
      return database.syncLater(() => changes.run(actor, watched, save));
    });
  }

  function touch({ jobs: changed, taskId, projectId }: Target): void {
    const now = clock();
    jobs.touchAll(changed.map(idOf), now);
    tasks.touch(taskId, now);
    if (projectId !== null) projects.touch(projectId, now);
  }

  const once = onceEach(idempotency);
  const reading = createAnnotationReading({ database, annotations, serialised, labelIndex });

  function change(
    actor: Actor,
    target: Target,
    action: AnnotationAction,
    sent: LabeledData,
    { key, window = null, seen }: SaveHead = {},
  ): LabeledData {
    const data = withPoolCopies(target, action === 'delete' ? sent : withSkeletonStarts(sent), action, media);
    if (action !== 'update') checkIds(data, action === 'create' ? 'absent' : 'present');
    const changed = { ...target, jobs: writer.concerned(target.jobs, data, action) };
    const applied = { isNew: false };
    const save = () =>
      once(key && `${target.name} ${action} ${key}`, actor, () => {
        if (action !== 'create') for (const { id } of changed.jobs) news.requireSeen({ window, seen }, id, data);
        const made =
          action === 'delete' ? takeOut(actor, target, data) : writer[action](target.jobs, data, changed.jobs);
        touch(changed);
        applied.isNew = true;
        return made;
      });
    const answer = saved(actor, changed, save, { data: action !== 'delete' && data });
    // Other clients may send a new frame for an object, so the old frame is unknown.
    const anyFrame = window === null && action !== 'create';
    if (applied.isNew) tell(news, actor, changed, answer, { window, action, anyFrame });
    return answer;
  }

  function takeOut(actor: Actor, target: Target, data: LabeledData): LabeledData {
    const count = data.tags.length + data.shapes.length + data.tracks.length;
    if (count === 0) return data;
    const taken = replaced.takeOut(headOf('delete', actor, target));
    writer.remove(target.jobs, data, taken.hiddenOf);
    taken.end(count);
    return data;
  }

  function check(target: Target, data: LabeledData, era?: number): void {
    checkAnnotations(data, labelIndex(target, era));
    checkFrames(data, target);
    requireNoTracks(target, data);
  }

  /** Ignores ids in the body and returns new ones. */
  function replace(actor: Actor, target: Target, body: LabeledData): LabeledData {
    const data = withPoolCopies(target, withSkeletonStarts(withoutIds(body)), 'replace', media);
    const save = () => {
      replaced.hideLive(headOf('replace', actor, target), jobIdsOf(target));
      const made = writer.create(target.jobs, data);
      touch(target);
      return made;
    };
    const created = saved(actor, target, save, { data });
    tell(news, actor, target, null);
    return created;
  }

  function clear(actor: Actor, target: Target): void {
    saved(actor, target, () => {
      const jobIds = jobIdsOf(target);
      if (replaced.countLive(jobIds) > 0) replaced.hideLive(headOf('clear', actor, target), jobIds);
      touch(target);
    });
    tell(news, actor, target, null);
  }

  const edited = (actor: Actor, kind: 'job' | 'task', id: number) => targets[kind](actor, id, 'update:annotations');
  const tellAll = (actor: Actor, target: Target): void => tell(news, actor, target, null);
  return {
    ...createReads({ annotations, targets, news, labelIndex }, reading),
    changeJob: (actor: Actor, id: number, action: AnnotationAction, data: LabeledData, head?: SaveHead) =>
      change(actor, edited(actor, 'job', id), action, data, head),
    changeTask: (actor: Actor, id: number, action: AnnotationAction, data: LabeledData, head?: SaveHead) =>
      change(actor, edited(actor, 'task', id), action, data, head),
    ...createKeyframeChanges({ annotations, sets, news, edited, once, check, saved, touch, tell }),
    replaceJob: (actor: Actor, id: number, data: LabeledData) => replace(actor, edited(actor, 'job', id), data),
    replaceTask: (actor: Actor, id: number, data: LabeledData) => replace(actor, edited(actor, 'task', id), data),
    ...createLargeSaves({
      database,
      staged,
      sets,
      writer,
      serialised,
      replaced,
      media,
      edited,
      check,
      saved,
      touch,
      takeOut,
      tell: (actor, target, data, how) => tell(news, actor, target, data, how),
    }),
    clearFrames: createClearFrames({ targets, jobs, annotations, sets, saved, tell: tellAll }),
    stageReplacement: createReplaceJobs({ database, targets, replaced, sets, serialised, saved, touch, tell: tellAll }),
    clearJob: (actor: Actor, id: number): void => clear(actor, targets.job(actor, id, 'delete:annotations')),
    clearTask: (actor: Actor, id: number): void => clear(actor, targets.task(actor, id, 'delete:annotations')),
  };
}

function createReads(
  { annotations, targets, news, labelIndex }: ReadDependencies,
  { read, readJson, readInPortions, readFramewise, readChangedInPortions }: AnnotationReading,
) {
  const seen = (actor: Actor, kind: 'job' | 'task', id: number) => targets[kind](actor, id, 'view:annotations');
  return {
    readJob: (actor: Actor, id: number, wanted: Wanted = {}) => read(seen(actor, 'job', id), wanted),
    readTask: (actor: Actor, id: number, wanted: Wanted = {}) => read(seen(actor, 'task', id), wanted),
    /** Same content as JSON, ready to send. Do not call inside a transaction. */
    readJobJson: (actor: Actor, id: number, wanted: Wanted = {}, client?: Client) =>
      readJson(seen(actor, 'job', id), wanted, client),
    readTaskJson: (actor: Actor, id: number, wanted: Wanted = {}, client?: Client) =>
      readJson(seen(actor, 'task', id), wanted, client),
    /** The result of `readJob`, as of the first portion. */
    readJobInPortions: (actor: Actor, id: number) => readInPortions(seen(actor, 'job', id)),
    /** Changes of a task since the digests; everything without them. */
    readChangesOfTask: (actor: Actor, id: number, known: AnnotationDigests | null) =>
      readChangedInPortions(seen(actor, 'task', id), known),
    /** The annotations of each frame, then each track; null where other requests may run. */
    readTaskFramewise: (actor: Actor, id: number) => readFramewise(seen(actor, 'task', id)),
    /** Increases with every change of the task's annotations. */
    latestChange: (actor: Actor, taskId: number): number => news.latestOf(jobIdsOf(seen(actor, 'task', taskId))),
    /** Tracks as stored: keyframes computed at cuts are marked. */
    tracksOfJob: (actor: Actor, id: number, window: FrameWindow = {}) =>
      storedTracks(annotations, { id, window }, labelIndex(seen(actor, 'job', id))),
  };
}

/** Caches the labels of a job for consecutive saves: a label set may have a thousand labels. */
function createLabelIndexes(labels: LabelRepository, database: Store, serialised: Pick<SerialisedReads, 'era'>) {
  let kept: { readonly owner: string; readonly era: number; readonly index: LabelIndex } | null = null;
  return ({ projectId, taskId }: Target, era?: number): LabelIndex => {
    const owner = labelOwner(projectId, taskId);
    // Data that may be rolled back must not be cached.
    if (database.isInTransaction) return indexLabels(labels.list(owner));
    const of = { owner: `${owner.kind} ${owner.id}`, era: era ?? serialised.era() };
    if (kept?.owner !== of.owner || kept.era !== of.era) kept = { ...of, index: indexLabels(labels.list(owner)) };
    return kept.index;
  };
}

/** Applies a save with a key once; a repeated request gets the same response. */
const onceEach =
  (idempotency: IdempotencyRepository) =>
  <Answer>(key: string | undefined, actor: Actor, save: () => Answer): Answer => {
    if (key === undefined) return save();
    const hash = createHash('sha256').update(`${actor.userId} ${key}`).digest('hex');
    const earlier = idempotency.find(hash);
    if (earlier !== undefined) return JSON.parse(earlier) as Answer;
    const answer = save();
    idempotency.store(hash, actor.userId, JSON.stringify(answer));
    return answer;
  };

/** Notifies other windows of the jobs; null: any of their annotations may have changed. */
function tell(
  news: AnnotationFeed,
  { userId }: Actor,
  { jobs }: Target,
  data: LabeledData | null,
  { window = null, action, anyFrame = false }: SavedHow = {},
): void {
  const how = { userId, window, action, anyFrame };
  // A changed track may be in any of the jobs; a created one is in the job that its piece was cut for.
  const isAnywhere = data === null || anyFrame || (action !== 'create' && data.tracks.length > 0);
  if (isAnywhere || data === null) return news.changed(how, new Map(jobs.map(({ id }) => [id, data])));
  const jobsOf = indexRanges(jobs.map(spanOf));
  const parts = new Map(partsOf(data, jobsOf));
  for (const track of data.tracks) {
    for (const index of jobsOf.within(track.frame)) {
      const part = parts.get(index) ?? emptyData();
      part.tracks.push(track);
      parts.set(index, part);
    }
  }
  news.changed(how, new Map([...parts].map(([index, part]) => [jobs[index]!.id, part])));
}

function storedTracks(
  annotations: AnnotationRepository,
  { id, window: { frame, to_frame: last } }: { readonly id: number; readonly window: FrameWindow },
  index: LabelIndex,
): TrackPiece[] {
  const isWhole = frame === undefined && last === undefined;
  const read = isWhole ? annotations.tracks.read(id) : annotations.tracks.readFrames(id, frame ?? 0, last);
  const tracks = read.map(({ origin: _origin, ...track }) => track);
  withAttributeDefaults({ ...emptyData(), tracks }, index);
  return tracks;
}
