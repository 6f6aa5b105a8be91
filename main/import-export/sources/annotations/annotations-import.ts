import type { ImportPreview } from '../../../../preload/contract/schema/formats.ts';
import { makesLabels, readImportChoices } from '../../../formats/import-choices/import-choices.ts';
import type { FormatSummary } from '../../../formats/kit/report.ts';
import { AppError } from '../../../platform/errors.ts';
import { RequestFailure } from '../../../background-requests/request-end.ts';
import type { RequestRow } from '../../../background-requests/request-repository.ts';
import { everythingOf } from '../../../work/annotations/annotation-feed.ts';
import type { ChangeHead } from '../../../work/annotations/replaced-annotations.ts';
import { countsInTask } from '../../../work/jobs/job-rules.ts';
import { labelOwner } from '../../../work/tables/label-repository.ts';
import { counted, importMessage } from '../../import/import-message.ts';
import type {
  ImportDependencies,
  ImportParameters,
  ImportPlan,
  ImportSource,
  ImportWork,
} from '../../import/import-runner.ts';
import { createTrialIds } from '../../import/staging-repository.ts';
import { planLabels, wantedLabels, writeLabelPlan, type LabelPlan } from '../../import/label-plan.ts';
import type { FrameSpan, TargetSet } from '../../bulk-writer/annotation-batch.ts';
import type { DatasetTarget } from '../../annotation-reader/stored-view.ts';
import type { AnnotationsFile, ParseAnnotationsJob } from './annotations-parse.ts';
import type { AddMissingImages } from './missing-images.ts';
import type { AnnotationsInspection } from './inspect-annotations.ts';
import { nothingUsable } from './empty-import.ts';

export interface AnnotationsImportParameters extends ImportParameters {
  readonly format: string;
  readonly mode: 'replace' | 'append';
  /** A dry run that reports the labels and images of the file, and reads no objects. */
  readonly onlyInspects?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly target: DatasetTarget;
}

interface AnnotationsPlan extends ImportPlan {
  readonly survey: ImportPreview | null;
  /** Null if the import creates none. */
  readonly labels: LabelPlan | null;
  readonly jobIds: readonly number[];
  /** One per job; null in a dry run. */
  readonly targets: readonly TargetSet[] | null;
  /** Names of images that the task lacked. */
  readonly images: readonly string[];
}

type Work = ImportWork<AnnotationsImportParameters>;

/** Creates `import:annotations`: imports a file into all jobs of a task or into one. The import can be undone. */
export function createAnnotationsImport(
  dependencies: ImportDependencies & { readonly addMissingImages: AddMissingImages },
): ImportSource<AnnotationsImportParameters, AnnotationsInspection | null, AnnotationsPlan> {
  const { database, databaseFile, dataDirectory, tasks, jobs, projects, labelRows, sets, staging } = dependencies;
  const { events, replaced, clock, news, addMissingImages } = dependencies;

  const fileOf = ({ parameters, plugin }: Work): AnnotationsFile => {
    const { format, file, target, options = {} } = parameters;
    return { databaseFile, dataDirectory, format, plugin, file, target, options };
  };
  const choicesOf = ({ parameters }: Work) => readImportChoices(parameters.options ?? {}, undefined);

  function spansOf(request: RequestRow): (FrameSpan & { readonly jobId: number })[] {
    const all = request.task_id === null ? [] : jobs.spansOfTask(request.task_id);
    return all
      .filter((job) => (request.job_id === null ? countsInTask(job) : job.id === request.job_id))
      .map((job) => ({ jobId: job.id, firstFrame: job.start_frame, lastFrame: job.stop_frame }));
  }

  /** Labels after the import. Only reserves their ids. */
  function planNewLabels(work: Work, survey: AnnotationsInspection | null): LabelPlan | null {
    const choices = choicesOf(work);
    if (!survey || !makesLabels(choices)) return null;
    const owner = labelOwner(work.request.project_id, work.request.task_id ?? 0);
    const plan = (ids: Parameters<typeof planLabels>[3]) => {
      const present = labelRows.list(owner);
      const wanted = wantedLabels(survey.labels, new Set(present.map(({ name }) => name)), choices);
      return wanted.length === 0 ? null : planLabels(owner, present, wanted, ids);
    };
    return work.parameters.dryRun === true ? plan(createTrialIds()) : database.write(() => plan(staging.ids));
  }

  /** Reason against replacing existing annotations by an empty import; null if objects were imported or none exist. */
  function refusalOf({ request, parameters }: Work, { jobIds }: AnnotationsPlan, summary: FormatSummary) {
    const present = replaced.countLive(jobIds);
    if (parameters.mode !== 'replace' || present === 0) return null;
    return nothingUsable(summary, {
      file: parameters.file.name,
      format: parameters.format,
      place: request.job_id === null ? 'task' : 'job',
      present,
      isDryRun: parameters.dryRun === true,
    });
  }

  /** Runs in the transaction that ends the import. */
  function show({ request, parameters }: Work, { labels, jobIds, targets }: AnnotationsPlan): void {
    const now = clock();
    const head: ChangeHead = {
      kind: 'import',
      place: { projectId: null, taskId: request.task_id, jobId: request.job_id },
      userId: request.owner_id,
      detail: parameters.file.name,
    };
    const setIds = (targets ?? []).map(({ setId }) => setId);
    if (jobs.countOf(jobIds) < jobIds.length)
      throw new AppError('not-found', 'The job was deleted while its annotations were read.');
    if (labels) writeLabelPlan(labelRows, labelOwner(request.project_id, request.task_id ?? 0), labels);
    if (parameters.mode === 'replace') replaced.hideLive(head, jobIds);
    if (!sets.publish(setIds)) throw new AppError('internal', 'A set of the import is no longer pending.');
    if (parameters.mode === 'append') replaced.show(head, setIds);
    jobs.touchAll(jobIds, now);
    news.changed({ userId: request.owner_id, window: null }, everythingOf(jobIds));
    if (request.task_id !== null) tasks.touch(request.task_id, now);
    if (request.project_id !== null) projects.touch(request.project_id, now);
  }

  return {
    /** Needed for a dry run, or if the import creates labels. */
    async survey(work) {
      if (work.parameters.dryRun !== true && !makesLabels(choicesOf(work))) return null;
      work.begin('Inspecting the file', work.parameters.onlyInspects === true ? 1 : 0.4);
      return work.thread('inspectAnnotations', fileOf(work));
    },

    async plan(work, surveyed) {
      const { request } = work;
      const images = choicesOf(work).add_images ? await addMissingImages(work) : [];
      const labels = planNewLabels(work, surveyed);
      const spans = spansOf(request);
      const jobIds = spans.map(({ jobId }) => jobId);
      const createSets = () => sets.createPendingOf(jobIds, request.id).map((setId, at) => ({ ...spans[at]!, setId }));
      const targets = work.parameters.dryRun === true ? null : database.write(createSets);
      const job: ParseAnnotationsJob = { ...fileOf(work), labels: labels?.labels, spans };
      return {
        survey: surveyed?.survey ?? null,
        labels,
        jobIds,
        targets,
        images,
        passes: work.parameters.onlyInspects === true ? [] : [{ parser: 'parseAnnotations', job, targets }],
        parsing: { message: 'Reading the file', until: 1 },
      };
    },

    publish(work, plan, { summary: read, arrived }, commit) {
      const { request, parameters } = work;
      const { images } = plan;
      const isTrial = parameters.dryRun === true;
      const summary =
        images.length === 0 ? read : { ...read, warnings: [imagesNote(images, isTrial), ...read.warnings] };
      const refusal = arrived === 0 && parameters.onlyInspects !== true ? refusalOf(work, plan, summary) : null;
      const message = importMessage(summary, parameters.dryRun);
      if (parameters.dryRun === true) {
        const warnings = refusal === null ? summary.warnings : [refusal, ...summary.warnings];
        return { message, report: JSON.stringify({ ...summary, warnings, preview: plan.survey ?? undefined }) };
      }
      const report = JSON.stringify(summary);
      if (refusal !== null) throw new RequestFailure(refusal, report);
      const { jobIds } = plan;
      const owners = { tasks: [request.task_id], projects: [request.project_id] };
      const watched = { jobs: jobIds, ...owners, onlyDates: ['jobs'] as const };
      return commit({ message, report }, () => events.run(events.actorOf(request), watched, () => show(work, plan)));
    },
  };
}

const namedAtMost = 3;

/** Sentence about images that the file has and the task lacked. */
function imagesNote(names: readonly string[], isTrial: boolean): string {
  const named = `${names.slice(0, namedAtMost).join(', ')}${names.length > namedAtMost ? ', …' : ''}`;
  const count = counted(names.length, 'image');
  return isTrial
    ? `${count} of the file would be added to the task: ${named}. Objects on them are not counted here.`
    : `${count} of the file ${names.length === 1 ? 'was' : 'were'} added to the task: ${named}.`;
}
