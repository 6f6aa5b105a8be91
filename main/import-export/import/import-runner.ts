import { stat } from 'node:fs/promises';
import type { Store } from '../../db/store.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import { createFormatReport, maxBadRecords, type FormatSummary } from '../../formats/kit/report.ts';
import type { PluginReference } from '../../formats/user-plugins/plugin-format.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { PayloadOf, ResultOf, TaskName, WorkerPool } from '../../platform/worker-pool.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRun, RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestRow } from '../../background-requests/request-repository.ts';
import type { WorkChanges } from '../../work/changes.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { AnnotationFeed } from '../../work/annotations/annotation-feed.ts';
import type { ReplacedAnnotations } from '../../work/annotations/replaced-annotations.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { LabelRepository } from '../../work/tables/label-repository.ts';
import type { ProjectRepository } from '../../work/tables/project-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import type { WorkerPaths } from '../bulk-writer/worker-context.ts';
import type { ImportStaging } from './import-staging.ts';
import { parseAndWrite, type ImportPass, type ParseOutcome } from './parse-and-write.ts';

/** Parameters that the runner itself reads. */
export interface SourceParameters {
  readonly format?: string;
  /** True to only report the changes without writing any. */
  readonly dryRun?: boolean;
  readonly file?: { readonly path: string; readonly name: string };
}

export interface ImportParameters extends SourceParameters {
  /** The queue deletes it at the end of the request. */
  readonly file: { readonly path: string; readonly name: string };
}

export interface ImportWork<Parameters> {
  readonly request: RequestRow;
  readonly parameters: Parameters;
  /** Set if the format is a user's plug-in. */
  readonly plugin: PluginReference | undefined;
  /** Begins a step. The progress bar continues from the end of the last step to `until`. */
  begin(message: string, until: number): void;
  /** Runs a worker task, for a step of several tasks the one at `index`. */
  thread<Name extends TaskName>(
    name: Name,
    payload: PayloadOf<Name>,
    part?: { readonly index: number; readonly count: number },
  ): Promise<ResultOf<Name>>;
}

export interface ImportPlan {
  readonly passes: readonly ImportPass[];
  /** Message of the step, and its end on the progress bar. */
  readonly parsing: { readonly message: string; readonly until: number };
}

/** Atomically publishes the import and ends the request. */
export type Commit = (result: RequestResult, write: () => void) => RequestResult;

/** Differences between the sources of imports. */
export interface ImportSource<Parameters extends SourceParameters, Inspection, Plan extends ImportPlan> {
  /** Inspects the file. Writes nothing visible. */
  survey(work: ImportWork<Parameters>): Promise<Inspection>;
  /** Decides on labels, frames and ids, and stages media and pending sets, which are not visible yet. */
  plan(work: ImportWork<Parameters>, survey: Inspection): Promise<Plan>;
  /** Publishes the import in one transaction. */
  publish(
    work: ImportWork<Parameters>,
    plan: Plan,
    outcome: Required<ParseOutcome>,
    commit: Commit,
  ): RequestResult | Promise<RequestResult>;
}

/** Dependencies of the sources of imports, under the same names everywhere. */
export interface ImportDependencies {
  readonly database: Store;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly labelRows: LabelRepository;
  readonly sets: AnnotationSetRepository;
  readonly staging: ImportStaging;
  readonly replaced: ReplacedAnnotations;
  readonly news: Pick<AnnotationFeed, 'changed'>;
  readonly events: WorkChanges;
  readonly clock: Clock;
}

interface Dependencies extends Pick<ImportDependencies, 'database' | 'databaseFile' | 'dataDirectory' | 'staging'> {
  readonly workers: WorkerPool;
  readonly formats: FormatCatalog;
  /** Called after annotations were discarded, so that their rows are deleted in the background. */
  readonly onDiscarded: () => void;
}

export type RunImport = ReturnType<typeof createImportRunner>;

/**
 * Runs imports in steps: survey, plan (with media), parse in one thread and write in another, publish in one
 * transaction. An interrupted import starts again from the beginning; a failed one leaves nothing behind.
 */
export function createImportRunner(dependencies: Dependencies) {
  const { database, staging, formats, onDiscarded } = dependencies;

  async function through<Parameters extends SourceParameters, Inspection, Plan extends ImportPlan>(
    source: ImportSource<Parameters, Inspection, Plan>,
    work: ImportWork<Parameters>,
    run: RequestRun,
    steps: Steps,
  ): Promise<RequestResult> {
    const requireUnchanged = await watchFile(work.parameters);
    const plan = await source.plan(work, await source.survey(work));
    work.begin(plan.parsing.message, plan.parsing.until);
    const outcome = await readPasses(dependencies, plan.passes, run, steps);
    await requireUnchanged();
    return source.publish(work, plan, outcome, (result, write) => {
      database.write(() => {
        write();
        run.finish(result);
      });
      return result;
    });
  }

  return <Parameters extends SourceParameters, Inspection, Plan extends ImportPlan>(
    source: ImportSource<Parameters, Inspection, Plan>,
  ): RequestRunner =>
    async (request, run) => {
      // Written by the service that started the import.
      const parameters = JSON.parse(request.parameters) as Parameters;
      const steps = createSteps(run);
      const begin = async () => {
        const plugin = parameters.format === undefined ? undefined : await formats.importerPlugin(parameters.format);
        const thread = threadOf(dependencies, run, steps);
        return through(source, { request, parameters, plugin, begin: steps.begin, thread }, run, steps);
      };
      // A dry run stages nothing.
      if (parameters.dryRun === true) return begin();
      // Left by an interrupted attempt.
      await staging.discard(request.id);
      try {
        const result = await begin();
        await staging.folders.discard(request.id);
        return result;
      } catch (error) {
        await staging.discard(request.id);
        throw error;
      } finally {
        onDiscarded();
      }
    };
}

/** Checks that the file does not change: a file passed by path belongs to the user and is read several times. */
async function watchFile({ file }: SourceParameters): Promise<() => Promise<void>> {
  if (file === undefined) return async () => undefined;
  const version = async () => {
    const { size, mtimeMs } = await stat(file.path);
    return `${size} ${mtimeMs}`;
  };
  const first = await version();
  return async () => {
    if ((await version()) === first) return;
    throw new AppError(
      'conflict',
      `${file.name} was changed while it was read. Nothing was imported: try again when the file is complete.`,
    );
  };
}

type Steps = ReturnType<typeof createSteps>;

/** Divides the progress bar of a request into the steps of an import. */
function createSteps({ progress }: Pick<RequestRun, 'progress'>) {
  let from = 0;
  let until = 0;
  return {
    begin(message: string, end: number): void {
      from = until;
      until = end;
      progress(from, message);
    },
    part:
      ({ index, count }: { readonly index: number; readonly count: number }) =>
      (fraction: number, message?: string) =>
        progress(from + ((index + fraction) / count) * (until - from), message),
  };
}

const threadOf =
  ({ workers }: Dependencies, { signal }: RequestRun, steps: Steps): ImportWork<unknown>['thread'] =>
  (name, job, part = { index: 0, count: 1 }) =>
    workers.run(name, job, { signal, onProgress: steps.part(part) });

async function readPasses(
  { workers, databaseFile, dataDirectory }: Dependencies,
  passes: readonly ImportPass[],
  { signal }: RequestRun,
  steps: Steps,
): Promise<Required<ParseOutcome>> {
  const paths: WorkerPaths = { databaseFile, dataDirectory };
  const outcomes: ParseOutcome[] = [];
  for (const [index, pass] of passes.entries()) {
    const progress = steps.part({ index, count: passes.length });
    outcomes.push(await parseAndWrite(workers, pass, { paths, signal, progress }));
  }
  return {
    summary: mergedSummaries(outcomes.map(({ summary }) => summary)),
    arrived: outcomes.reduce((sum, { arrived }) => sum + (arrived ?? 0), 0),
  };
}

/** Merges reports by adding counts of the same kind. */
function mergedSummaries(summaries: readonly FormatSummary[]): FormatSummary {
  const report = createFormatReport();
  for (const { included, dropped, warnings } of summaries) {
    for (const { type, label, count } of included) report.included(type, label, count);
    for (const { type, label, rule, count } of dropped) report.dropped(type, label, rule, count);
    for (const warning of warnings) report.warn(warning);
  }
  return {
    ...report.summary(),
    invalid: summaries.flatMap(({ invalid }) => invalid).slice(0, maxBadRecords),
    invalidCount: summaries.reduce((sum, { invalidCount }) => sum + invalidCount, 0),
  };
}
