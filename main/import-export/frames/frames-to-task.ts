import type { FrameSelection, FrameImages } from '../../../preload/contract/schema/frames.ts';
import type { PreparedMedia } from '../../media/media-preparation.ts';
import { AppError } from '../../platform/errors.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import { frameRows, mediaRow } from '../../work/tasks/prepared-media.ts';
import { backupLabel } from '../export/backup-task-writer.ts';
import { counted, importMessage } from '../import/import-message.ts';
import type {
  ImportDependencies,
  ImportPlan,
  ImportSource,
  ImportWork,
  SourceParameters,
} from '../import/import-runner.ts';
import { planLabels, writeLabelPlan, type LabelPlan } from '../import/label-plan.ts';
import type { PrepareFramesJob } from './frame-files-jobs.ts';
import type { ParseFramesJob } from './parse-frames-job.ts';
import { noFrames, selectionJob } from './selection.ts';
import type { SelectedFrames } from './select-frames-job.ts';

export interface FramesToTaskParameters extends SourceParameters {
  readonly sourceTaskId: number;
  readonly name: string;
  readonly selection: FrameSelection;
  readonly image: FrameImages;
  /** Project of the new task; null if it gets its own labels. */
  readonly projectId: number | null;
  readonly annotations: boolean;
  readonly trackGroups: boolean;
}

interface FramesPlan extends ImportPlan {
  readonly source: TaskRow;
  readonly taskId: number;
  readonly setId: number;
  readonly prepared: PreparedMedia;
  readonly labels: LabelPlan;
}

type Work = ImportWork<FramesToTaskParameters>;

const imageQuality = 70;
const gone = () => new AppError('not-found', 'The task was deleted before its frames were read. Nothing was created.');

/** Creates the runner of `create:frames`: frames of a video become a task of images with the visible annotations. */
export function createFramesToTask(
  dependencies: Omit<ImportDependencies, 'projects' | 'jobs' | 'replaced' | 'news'>,
): ImportSource<FramesToTaskParameters, SelectedFrames, FramesPlan> {
  const { database, databaseFile, dataDirectory, tasks, labelRows, sets, staging, events, clock } = dependencies;
  const paths = { databaseFile, dataDirectory };

  function sourceOf({ parameters }: Work): TaskRow {
    const source = tasks.get(parameters.sourceTaskId);
    if (!source || source.media_id === null) throw gone();
    if (parameters.projectId !== null && source.project_id !== parameters.projectId) throw movedMeanwhile();
    return source;
  }

  /** Id of the new task, its annotation set, and its labels (those of the project, or copies). */
  const giveIds = ({ request, parameters: { projectId } }: Work, source: TaskRow) =>
    database.write(() => {
      const [taskId = 0] = staging.stage(request.id, 1);
      const setId = sets.createPending(null, request.id);
      const present = labelRows.list(labelOwner(source.project_id, source.id));
      const owner = labelOwner(projectId, taskId);
      const labels =
        projectId === null
          ? planLabels(owner, [], present.map(backupLabel), staging.ids)
          : planLabels(owner, present, [], staging.ids);
      return { taskId, setId, labels };
    });

  return {
    async survey(work) {
      sourceOf(work);
      work.begin('Selecting frames', 0.05);
      const { sourceTaskId: id, selection } = work.parameters;
      const job = selectionJob(paths, { kind: 'task', id }, selection);
      return work.thread('selectFrames', job);
    },

    async plan(work, { frames }) {
      if (frames.length === 0) throw noFrames();
      const source = sourceOf(work);
      const ids = giveIds(work, source);
      const { taskId, setId, labels } = ids;
      const { sourceTaskId, image, annotations, trackGroups } = work.parameters;
      work.begin(`Writing ${counted(frames.length, 'image')}`, 0.9);
      const job: PrepareFramesJob = { ...paths, sourceTaskId, frames, image, taskId };
      const prepared = await work.thread('prepareFrames', job);
      const parse: ParseFramesJob = { ...paths, sourceTaskId, frames, labels: labels.labels, trackGroups };
      const targets = [{ setId, firstFrame: 0, lastFrame: frames.length - 1, frameOffset: 0 }];
      return {
        ...ids,
        source,
        prepared,
        passes: annotations ? [{ parser: 'parseFrames', job: parse, targets }] : [],
        parsing: { message: 'Copying the annotations', until: 0.98 },
      };
    },

    async publish(work, { source, taskId, setId, prepared, labels }, { summary }, commit) {
      const { name, projectId, annotations } = work.parameters;
      const rows = frameRows(prepared);
      const made = `The task "${name}" with ${counted(rows.length, 'image')} was created.`;
      const result = {
        message: annotations ? `${made} ${importMessage(summary)}` : made,
        report: JSON.stringify(summary),
        resultId: taskId,
      };
      const actor = events.actorOf(work.request);
      const now = clock();
      const settings = { image_quality: imageQuality, frame_filter: '', sorting_method: 'predefined' };
      const task = {
        id: taskId,
        texts: { name, subset: source.subset },
        projectId,
        organizationId: source.organization_id,
        ownerId: work.request.owner_id,
        overlap: 0,
        segmentSize: rows.length,
        data: { media: mediaRow(prepared, rows, settings, now), frames: rows, deletedFrames: [] },
        jobs: [{ start: 0, stop: rows.length - 1, setId }],
      };
      await staging.storeMedia([task]);
      return commit(result, () => {
        sourceOf(work);
        const jobIds = staging.writer.write(task, now);
        writeLabelPlan(labelRows, labelOwner(projectId, taskId), labels);
        events.created(actor, 'task', [taskId]);
        events.created(actor, 'job', jobIds);
        staging.settle([taskId]);
      });
    },
  };
}

const movedMeanwhile = () =>
  new AppError(
    'conflict',
    'The task was moved to another project in the meantime. Nothing was created; start it again.',
  );
