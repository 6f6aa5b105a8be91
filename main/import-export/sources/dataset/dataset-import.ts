import { withEncoding } from '../../../formats/io/text-encoding.ts';
import type { ImportPreview } from '../../../../preload/contract/schema/formats.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { createFormatReport, type FormatSummary } from '../../../formats/kit/report.ts';
import type { PreparedMedia } from '../../../media/media-preparation.ts';
import { AppError } from '../../../platform/errors.ts';
import type { RequestResult } from '../../../background-requests/request-end.ts';
import type { ProjectRow } from '../../../work/tables/project-repository.ts';
import type { FrameRow } from '../../../work/tables/media-repository.ts';
import { frameRows, mediaRow } from '../../../work/tasks/prepared-media.ts';
import { counted, importMessage } from '../../import/import-message.ts';
import type {
  ImportDependencies,
  ImportParameters,
  ImportPlan,
  ImportSource,
  ImportWork,
} from '../../import/import-runner.ts';
import { createTrialIds } from '../../import/staging-repository.ts';
import { planLabels, writeLabelPlan, type LabelPlan } from '../../import/label-plan.ts';
import type { IncomingTask } from '../../import/task-writer.ts';
import type { DatasetMediaJob } from './dataset-media.ts';
import type { ParseDatasetJob } from './dataset-parse.ts';
import type { DatasetInspection } from './inspect-dataset.ts';

export interface DatasetImportParameters extends ImportParameters {
  readonly format: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A subset with its media, which becomes a task. Its frames are numbered from `firstFrame`, across all subsets. */
interface Part {
  readonly taskId: number;
  readonly subset: string;
  readonly prepared: PreparedMedia;
  readonly rows: readonly FrameRow[];
  readonly firstFrame: number;
  readonly setId: number;
}

interface DatasetPlan extends ImportPlan {
  readonly survey: DatasetInspection;
  readonly parts: readonly Part[];
  readonly labels: LabelPlan;
}

type Work = ImportWork<DatasetImportParameters>;

const imageQuality = 70;
const projectGone = () => new AppError('not-found', 'The project was deleted while its dataset was read.');

/** Creates `import:dataset`: each subset of an archive becomes a task with its images and annotations. */
export function createDatasetImport(
  dependencies: Pick<
    ImportDependencies,
    'database' | 'dataDirectory' | 'projects' | 'labelRows' | 'sets' | 'staging' | 'events' | 'clock'
  >,
): ImportSource<DatasetImportParameters, DatasetInspection, DatasetPlan> {
  const { database, dataDirectory, projects, labelRows, sets, staging, events, clock } = dependencies;
  const ownerOf = ({ request }: Work) => ({ kind: 'project', id: request.project_id ?? -1 }) as const;

  function projectOf({ request }: Work): ProjectRow {
    const project = projects.get(request.project_id ?? -1);
    if (!project) throw projectGone();
    return project;
  }

  /** Extracts the images of each subset to the folder of its task. */
  async function prepareParts(work: Work, { subsets }: DatasetInspection): Promise<Part[]> {
    const { file: stated, options = {} } = work.parameters;
    const file = withEncoding(stated, options);
    const staged = database.write(() =>
      staging.stage(work.request.id, subsets.length).map((taskId) => ({
        taskId,
        setId: sets.createPending(null, work.request.id),
      })),
    );
    const parts: Part[] = [];
    let firstFrame = 0;
    for (const [index, ids] of staged.entries()) {
      const { name: subset = '', frames = [] } = subsets[index] ?? {};
      const job: DatasetMediaJob = { dataDirectory, taskId: ids.taskId, file, frames };
      const part = { index, count: subsets.length };
      const prepared = await work.thread('prepareDatasetMedia', job, part);
      const rows = frameRows(prepared);
      parts.push({ ...ids, subset, prepared, rows, firstFrame });
      firstFrame += rows.length;
    }
    return parts;
  }

  /** Plans only the labels, without staging media. */
  function trialPlan(work: Work, survey: DatasetInspection): DatasetPlan {
    const owner = ownerOf(work);
    const present = labelRows.list(owner);
    return {
      survey,
      parts: [],
      labels: planLabels(owner, present, survey.labels, createTrialIds()),
      passes: [],
      parsing: { message: 'Reading the file', until: 1 },
    };
  }

  return {
    survey(work) {
      const { plugin, parameters } = work;
      projectOf(work);
      work.begin('Inspecting the archive', 0.25);
      return work.thread('inspectDataset', { ...parameters, plugin });
    },

    async plan(work, survey) {
      if (work.parameters.dryRun === true) return trialPlan(work, survey);
      work.begin('Unpacking the images', 0.6);
      const parts = await prepareParts(work, survey);
      const owner = ownerOf(work);
      const labels = database.write(() => planLabels(owner, labelRows.list(owner), survey.labels, staging.ids));
      const targets = parts.map(({ setId, firstFrame, rows }) => ({
        setId,
        firstFrame,
        lastFrame: firstFrame + rows.length - 1,
        frameOffset: firstFrame,
      }));
      const { format, file, options } = work.parameters;
      const { plugin } = work;
      const job: ParseDatasetJob = {
        format,
        file,
        options,
        plugin,
        labels: labels.labels,
        spans: targets,
        ...framesOf(parts, survey),
      };
      return {
        survey,
        parts,
        labels,
        passes: [{ parser: 'parseDataset', job, targets }],
        parsing: { message: 'Reading the annotations', until: 0.98 },
      };
    },

    async publish(work, { survey, parts, labels }, outcome, commit) {
      if (work.parameters.dryRun === true) return lookedThrough(survey, labelRows.list(ownerOf(work)));
      const summary = withSkipped(outcome.summary, parts, survey);
      requireSomething(summary, survey, work);
      const frames = parts.reduce((sum, { rows }) => sum + rows.length, 0);
      const made = `${counted(parts.length, 'task')} with ${counted(frames, 'image')} made.`;
      const result = { message: `${made} ${importMessage(summary)}`, report: JSON.stringify(summary) };
      const actor = events.actorOf(work.request);
      const now = clock();
      const before = projectOf(work);
      await staging.storeMedia(parts.map((part) => incomingTask(part, before, now)));
      return commit(result, () => {
        const project = projectOf(work);
        writeLabelPlan(labelRows, ownerOf(work), labels);
        events.run(actor, { projects: [project.id] }, () => projects.touch(project.id, now));
        for (const part of parts) {
          const jobIds = staging.writer.write(incomingTask(part, project, now), now);
          events.created(actor, 'task', [part.taskId]);
          events.created(actor, 'job', jobIds);
        }
        staging.settle(parts.map(({ taskId }) => taskId));
      });
    },
  };
}

/** Stops an import without usable objects, which would create tasks of unannotated images. */
function requireSomething(
  { included, invalid: [first], invalidCount }: FormatSummary,
  { notes }: DatasetInspection,
  { parameters }: Work,
): void {
  if (included.length > 0 || !first) return;
  throw new AppError(
    'invalid',
    [
      `Cannot use ${parameters.file.name} as ${parameters.format}: ${counted(invalidCount, 'record')} could not be read, the first: ${first.file} at ${first.at}, ${first.reason}.`,
      ...notes,
      'The project was not changed.',
    ].join(' '),
  );
}

/** Result of a dry run: the contents, and the labels that the project lacks. */
function lookedThrough(found: DatasetInspection, present: readonly Label[]): RequestResult {
  const known = new Map(present.map((label) => [label.name, label]));
  const wanted = new Map(found.labels.map((label) => [label.name ?? '', label]));
  const frames = found.subsets.reduce((sum, subset) => sum + subset.frames.length, 0);
  const { missing } = found;
  const survey: ImportPreview = {
    labels: found.counts.map(({ name, count, types }) => {
      const own = new Set(known.get(name)?.attributes.map((attribute) => attribute.name));
      const attributes = (wanted.get(name)?.attributes ?? []).map((attribute) => attribute.name);
      const unknownAttributes = known.has(name) ? attributes.filter((attribute) => !own.has(attribute)) : [];
      return { name, count, types: [...types], known: known.has(name), unknownAttributes };
    }),
    subsets: found.subsets.map(({ name }) => name).toSorted(),
    frames: {
      matching: 'name',
      total: frames,
      stated: frames + missing.count,
      matched: frames,
      fitting: { auto: frames, name: frames, number: 0, order: 0 },
      unmatchedCount: missing.count,
      unmatched: [...missing.names],
      pairs: [],
      silentCount: 0,
      silent: [],
    },
  };
  const report = createFormatReport();
  for (const { name, count, types } of found.counts)
    report.included(types.length === 1 ? (types[0] ?? '') : 'object', name, count);
  const message = `${counted(found.subsets.length, 'task')} with ${counted(frames, 'image')} would be created.`;
  return { message, report: JSON.stringify({ ...report.summary(), preview: survey }) };
}

/** Frames of all tasks in sequence, and the frame of each name. */
function framesOf(parts: readonly Part[], { matches }: DatasetInspection): Pick<ParseDatasetJob, 'frames' | 'matches'> {
  const frames = parts.flatMap(({ rows, firstFrame, subset, taskId }) =>
    rows.map(({ frame, name, width, height }) => ({
      frame: firstFrame + frame,
      name,
      width,
      height,
      subset,
      task_id: taskId,
    })),
  );
  const numbers = new Map(frames.map(({ frame, name, subset }) => [`${subset}\u0000${name}`, frame]));
  return {
    frames,
    matches: new Map(
      matches.flatMap(([key, subset, name]) => {
        const number = numbers.get(`${subset}\u0000${name}`);
        return number === undefined ? [] : [[key, number] as const];
      }),
    ),
  };
}

/** Adds skipped images to the report of the annotations. */
function withSkipped(
  summary: FormatSummary,
  parts: readonly Part[],
  { missing, notes }: DatasetInspection,
): FormatSummary {
  const skipped = parts.flatMap(({ prepared }) => prepared.skipped);
  const warnings = parts.flatMap(({ prepared }) => prepared.warnings.map(({ reason }) => reason));
  const absent =
    missing.count === 0
      ? []
      : [
          `${missing.count} images of the annotations are not in the archive, the first of them: ${missing.names.join(', ')}.`,
        ];
  return {
    ...summary,
    invalid: [...skipped.map(({ name, reason }) => ({ file: name, at: '', reason })), ...summary.invalid],
    invalidCount: summary.invalidCount + skipped.length,
    warnings: [...notes, ...absent, ...warnings, ...summary.warnings],
  };
}

function incomingTask({ taskId, subset, prepared, rows, setId }: Part, project: ProjectRow, now: string): IncomingTask {
  const settings = { image_quality: imageQuality, frame_filter: '', sorting_method: 'predefined' };
  return {
    id: taskId,
    texts: { name: subset.slice(0, 256), subset: subset.slice(0, 64) },
    projectId: project.id,
    organizationId: project.organization_id,
    ownerId: project.owner_id,
    overlap: 0,
    segmentSize: rows.length,
    data: { media: mediaRow(prepared, rows, settings, now), frames: rows, deletedFrames: [] },
    jobs: [{ start: 0, stop: rows.length - 1, setId }],
  };
}
