import type { Database } from '../../db/open.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import type { PreparedMedia } from '../../media/prepare.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import { importMessage } from '../datasets/dataset-names.ts';
import { importThroughThreads } from '../datasets/import-threads.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import { planLabels, writeLabelPlan, type LabelPlan } from '../intake/label-plan.ts';
import type { Intake } from '../intake/intake.ts';
import type { LabelRepository } from '../../work/labels/label-repository.ts';
import type { ProjectRepository, ProjectRow } from '../../work/projects/project-repository.ts';
import type { RequestRow } from '../../requests/request-repository.ts';
import type { RequestRun, RequestRunner } from '../../requests/request-queue.ts';
import type { RequestResult } from '../../requests/request-end.ts';
import type { FrameRow } from '../../work/tasks/media-repository.ts';
import { frameRows, mediaRow } from '../../work/tasks/prepared-media.ts';
import type { DatasetSurvey } from './dataset-survey.ts';
import type { NewFrame } from './new-task-data.ts';
import type { ParseDatasetJob } from './parse-job.ts';
import type { SubsetMediaJob, SurveyJob } from './survey-job.ts';

export interface DatasetImportParameters {
  readonly format: string;
  /** The queue removes it with the end of the request. */
  readonly file: { readonly path: string; readonly name: string };
}

interface Dependencies {
  readonly database: Database;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly projects: ProjectRepository;
  readonly labels: LabelRepository;
  readonly sets: AnnotationSetRepository;
  readonly intake: Intake;
  readonly events: WorkEvents;
  readonly workers: WorkerPool;
  readonly formats: FormatCatalog;
  readonly clock: Clock;
  /** Called when the import has ended: what it discarded goes in the background. */
  readonly onDiscarded: () => void;
}

/** A subset with its media, on the way to become a task. Its frames count from `firstFrame` over all subsets. */
interface Part {
  readonly taskId: number;
  readonly subset: string;
  readonly prepared: PreparedMedia;
  readonly rows: readonly FrameRow[];
  readonly firstFrame: number;
}
interface PartWithSet extends Part {
  readonly setId: number;
}

/** Shares of the progress bar. */
const share = { survey: 0.25, media: 0.6, annotations: 0.98 } as const;
const imageQuality = 70;

/**
 * Runs `import:dataset`: each subset of the archive becomes a task of the project, with its images and annotations.
 * Media and annotations are laid down where nobody sees them; one transaction shows everything, or nothing comes of it.
 */
export function createDatasetImportRunner(dependencies: Dependencies): RequestRunner {
  const { projects, sets, onDiscarded } = dependencies;
  const { staged } = dependencies.intake;
  return async (request, run) => {
    const parameters = JSON.parse(request.parameters) as DatasetImportParameters;
    // Left by an attempt that a crash or a stop ended.
    await staged.discard(request.id);
    sets.discardPending(request.id);
    try {
      const project = projects.get(request.project_id ?? -1);
      if (!project) throw projectGone();
      const plugin = await dependencies.formats.importerPlugin(parameters.format);
      return await importInto(dependencies, project, { request, run, parameters, plugin });
    } catch (error) {
      sets.discardPending(request.id);
      await staged.discard(request.id);
      throw error;
    } finally {
      onDiscarded();
    }
  };
}

const projectGone = () => new AppError('not-found', 'The project was deleted while its dataset was read.');

interface Import {
  readonly request: RequestRow;
  readonly run: RequestRun;
  readonly parameters: DatasetImportParameters;
  /** Where the format is one that the person brought. */
  readonly plugin: PluginReference | undefined;
}

async function importInto(dependencies: Dependencies, project: ProjectRow, work: Import): Promise<RequestResult> {
  const { database, labels, workers } = dependencies;
  const { ids } = dependencies.intake;
  const { signal, progress, finish } = work.run;
  progress(0, 'Looking through the archive');
  const survey = await workers.run<SurveyJob, DatasetSurvey>(
    'surveyDataset',
    { ...work.parameters, plugin: work.plugin },
    {
      signal,
      onProgress: (fraction) => progress(fraction * share.survey),
    },
  );
  progress(share.survey, 'Unpacking the images');
  const parts = await prepareParts(dependencies, survey, work);
  const owner = { kind: 'project', id: project.id } as const;
  const plan = database.transaction(() => planLabels(owner, labels.list(owner), survey.labels, ids)).immediate();
  progress(share.media, 'Reading the annotations');
  const withSets = createSets(dependencies, parts, work.request.id);
  const summary = withSkipped(
    await readAnnotations(dependencies, { survey, parts: withSets, plan, work }),
    parts,
    survey,
  );
  const frames = parts.reduce((sum, part) => sum + part.rows.length, 0);
  const result = {
    message: `${counted(parts.length, 'task')} with ${counted(frames, 'image')} made. ${importMessage(summary)}`,
    report: JSON.stringify(summary),
  };
  publish(dependencies, project.id, { parts: withSets, plan, request: work.request, end: () => finish(result) });
  return result;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

async function prepareParts(
  { intake: { staged }, workers, dataDirectory }: Dependencies,
  { subsets }: DatasetSurvey,
  { request, run: { signal, progress }, parameters }: Import,
): Promise<Part[]> {
  const taskIds = staged.stage(request.id, subsets.length);
  const parts: Part[] = [];
  let firstFrame = 0;
  for (const [index, { name, frames }] of subsets.entries()) {
    const taskId = taskIds[index] ?? 0;
    const job: SubsetMediaJob = { dataDirectory, taskId, file: parameters.file, frames };
    const prepared = await workers.run<SubsetMediaJob, PreparedMedia>('prepareSubsetMedia', job, {
      signal,
      onProgress: (fraction) =>
        progress(share.survey + ((index + fraction) / subsets.length) * (share.media - share.survey)),
    });
    const rows = frameRows(prepared);
    parts.push({ taskId, subset: name, prepared, rows, firstFrame });
    firstFrame += rows.length;
  }
  return parts;
}

function createSets({ database, sets }: Dependencies, parts: readonly Part[], requestId: string): PartWithSet[] {
  return database
    .transaction(() => parts.map((part) => ({ ...part, setId: sets.createPending(null, requestId) })))
    .immediate();
}

interface Reading {
  readonly survey: DatasetSurvey;
  readonly parts: readonly PartWithSet[];
  readonly plan: LabelPlan;
  readonly work: Import;
}

function readAnnotations(dependencies: Dependencies, { survey, parts, plan, work }: Reading): Promise<FormatSummary> {
  const { workers, databaseFile, dataDirectory } = dependencies;
  const { parameters, plugin, run } = work;
  const frames: NewFrame[] = parts.flatMap((part) =>
    part.rows.map(({ frame, name, width, height }) => ({
      frame: part.firstFrame + frame,
      name,
      width,
      height,
      subset: part.subset,
      task_id: part.taskId,
    })),
  );
  const numbers = new Map(frames.map(({ frame, name, subset }) => [`${subset}\u0000${name}`, frame]));
  const matches = new Map(
    survey.matches.flatMap(([key, subset, name]) => {
      const number = numbers.get(`${subset}\u0000${name}`);
      return number === undefined ? [] : [[key, number] as const];
    }),
  );
  const targets = parts.map(({ setId, firstFrame, rows }) => ({
    setId,
    firstFrame,
    lastFrame: firstFrame + rows.length - 1,
    frameOffset: firstFrame,
  }));
  return importThroughThreads<ParseDatasetJob>(workers, {
    name: 'parseDataset',
    job: (port, state) => ({
      ...parameters,
      plugin,
      labels: plan.labels,
      frames,
      matches,
      tasks: targets,
      port,
      state,
    }),
    targets,
    paths: { databaseFile, dataDirectory },
    signal: run.signal,
    progress: (fraction) => run.progress(share.media + fraction * (share.annotations - share.media)),
  });
}

/** The report of the annotations, with what became of the images. */
function withSkipped(summary: FormatSummary, parts: readonly Part[], { missing }: DatasetSurvey): FormatSummary {
  const skipped = parts.flatMap(({ prepared }) => prepared.skipped);
  const warnings = parts.flatMap(({ prepared }) => prepared.warnings.map(({ reason }) => reason));
  const absent =
    missing.count === 0
      ? []
      : [
          `${missing.count} images that the annotations speak of are not in the archive, the first of them: ${missing.names.join(', ')}.`,
        ];
  return {
    ...summary,
    bad: [...skipped.map(({ name, reason }) => ({ file: name, at: '', reason })), ...summary.bad],
    badCount: summary.badCount + skipped.length,
    warnings: [...absent, ...warnings, ...summary.warnings],
  };
}

interface Publication {
  readonly parts: readonly PartWithSet[];
  readonly plan: LabelPlan;
  readonly request: RequestRow;
  readonly end: () => void;
}

/** Shows the tasks and ends the request: both or neither. */
function publish(dependencies: Dependencies, projectId: number, { parts, plan, request, end }: Publication): void {
  const { database, projects, labels, events, clock } = dependencies;
  const { staged, writer } = dependencies.intake;
  const actor = events.actorOf(request);
  database
    .transaction(() => {
      const now = clock();
      const project = projects.get(projectId);
      if (!project) throw projectGone();
      writeLabelPlan(labels, { kind: 'project', id: projectId }, plan);
      events.watch(actor, { projects: [projectId] }, () => projects.touch(projectId, now));
      for (const part of parts) {
        const jobIds = writer.write(incomingTask(part, project, now), now);
        events.taskCreated(actor, part.taskId);
        events.jobsCreated(actor, jobIds);
      }
      staged.settle(parts.map(({ taskId }) => taskId));
      end();
    })
    .immediate();
}

function incomingTask({ taskId, subset, prepared, rows, setId }: PartWithSet, project: ProjectRow, now: string) {
  const settings = { image_quality: imageQuality, frame_filter: '', sorting_method: 'predefined' };
  return {
    id: taskId,
    name: subset.slice(0, 256),
    projectId: project.id,
    organizationId: project.organization_id,
    ownerId: project.owner_id,
    bugTracker: '',
    subset: subset.slice(0, 64),
    overlap: 0,
    segmentSize: rows.length,
    media: mediaRow(prepared, rows, settings, now),
    frames: rows,
    deletedFrames: [],
    jobs: [{ start: 0, stop: rows.length - 1, setId }],
  };
}
