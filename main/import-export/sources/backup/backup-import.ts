import type { LabelOwner } from '../../../work/tables/label-repository.ts';
import { namedStorages } from '../../../work/tables/storage-repository.ts';
import { frameRows } from '../../../work/tasks/prepared-media.ts';
import { counted, importMessage } from '../../import/import-message.ts';
import type {
  ImportDependencies,
  ImportParameters,
  ImportPlan,
  ImportSource,
  ImportWork,
} from '../../import/import-runner.ts';
import { planLabels, writeLabelPlan, type LabelPlan } from '../../import/label-plan.ts';
import type { ImportPass } from '../../import/parse-and-write.ts';
import type { BackupMediaJob } from './backup-media.ts';
import type { ParseBackupJob } from './backup-parse.ts';
import { createBackupRestorer, type PlacedPictures } from './backup-restorer.ts';
import type { BackupContents, TaskContents } from './inspect-backup.ts';
import { valuesFor } from '../../../db/columns.ts';
import { projectColumns } from '../../../work/tables/project-table.ts';
import { poolOf, rowsWithHoneypots } from './backup-pool.ts';
import { placeJobs, restoredTask, type PlacedJob, type RestoredMedia } from './restored-task.ts';

export interface BackupImportParameters extends ImportParameters {
  readonly kind: 'project' | 'task';
  /** True if issues and comments keep the authors that the backup names. */
  readonly keepsAuthors: boolean;
}

/** State of a task during the import. */
interface Part {
  readonly taskId: number;
  readonly contents: TaskContents;
  readonly media: RestoredMedia | null;
  readonly jobs: readonly PlacedJob[];
}

interface BackupPlan extends ImportPlan {
  readonly contents: BackupContents;
  /** Owner of the labels: the project if there is one, else the task. */
  readonly owner: LabelOwner;
  readonly labels: LabelPlan;
  readonly parts: readonly Part[];
}

type Work = ImportWork<BackupImportParameters>;

interface Writing {
  readonly work: Work;
  readonly plan: BackupPlan;
  readonly pictures: PlacedPictures;
  readonly now: string;
}

/** Creates `import:backup`: restores a task, or a project with its tasks. */
export function createBackupImport(
  dependencies: Omit<ImportDependencies, 'databaseFile' | 'jobs' | 'replaced' | 'news'>,
): ImportSource<BackupImportParameters, BackupContents, BackupPlan> {
  const { database, dataDirectory, projects, tasks, labelRows, sets, staging, events, clock } = dependencies;
  const restorer = createBackupRestorer(database, dataDirectory);

  /** Reserves all ids that the backup needs, except for jobs and sets. */
  const giveIds = ({ request }: Work, { project, tasks: found }: BackupContents) =>
    database.write(() => {
      const taskIds = staging.stage(request.id, found.length);
      const owner: LabelOwner = project
        ? { kind: 'project', id: staging.ids.reserve('project', 1) }
        : { kind: 'task', id: taskIds[0] ?? 0 };
      const wanted = project?.labels ?? found[0]?.task.labels ?? [];
      return { taskIds, owner, labels: planLabels(owner, [], wanted, staging.ids) };
    });

  async function preparePart(
    work: Work,
    contents: TaskContents,
    { taskId, ...step }: { readonly taskId: number; readonly index: number; readonly count: number },
  ): Promise<Part> {
    const { task, folder } = contents;
    if (!task.data) return { taskId, contents, media: null, jobs: [] };
    const job: BackupMediaJob = { dataDirectory, taskId, file: work.parameters.file, folder, task };
    const prepared = await work.thread('prepareBackupMedia', job, step);
    const createSet = () => sets.createPending(null, work.request.id);
    const jobs = database.write(() => placeJobs(task, createSet));
    return { taskId, contents, media: { prepared, rows: rowsWithHoneypots(frameRows(prepared), poolOf(task)) }, jobs };
  }

  /** Runs in the transaction that ends the import. */
  function writeProject({ work: { request }, plan, pictures, now }: Writing): void {
    const { contents, owner, labels } = plan;
    const { project, guide } = contents;
    if (!project) return;
    projects.insert({
      id: owner.id,
      ...valuesFor(projectColumns, 'backup', project),
      owner_id: request.owner_id,
      assignee_id: null,
      organization_id: request.organization_id,
      date: now,
    });
    projects.keepStorages(owner.id, namedStorages(project.limner ?? {}));
    restorer.textPrompts({ project_id: owner.id, task_id: null }, project.limner?.text_prompts ?? []);
    writeLabelPlan(labelRows, owner, labels);
    if (guide)
      restorer.guide({ projectId: owner.id, taskId: null }, guide, { pictures, ownerId: request.owner_id, now });
    events.created(events.actorOf(request), 'project', [owner.id]);
  }

  function incomingTask({ work: { request }, plan: { owner }, now }: Omit<Writing, 'pictures'>, part: Part) {
    const { taskId, contents, media, jobs } = part;
    const { organization_id: organizationId, owner_id: ownerId } = request;
    const projectId = owner.kind === 'project' ? owner.id : null;
    return restoredTask(contents.task, { id: taskId, projectId, organizationId, ownerId, media, jobs, now });
  }

  function writeTask(writing: Writing, part: Part): void {
    const { work, plan, pictures, now } = writing;
    const { request, parameters } = work;
    const { owner, labels } = plan;
    const { taskId, contents } = part;
    const { owner_id: ownerId } = request;
    const projectId = owner.kind === 'project' ? owner.id : null;
    const jobIds = staging.writer.write(incomingTask(writing, part), now);
    tasks.keepStorages(taskId, namedStorages(contents.task.limner ?? {}));
    if (projectId === null) {
      writeLabelPlan(labelRows, owner, labels);
      restorer.textPrompts({ project_id: null, task_id: taskId }, contents.task.limner?.text_prompts ?? []);
    }
    if (contents.guide) restorer.guide({ projectId: null, taskId }, contents.guide, { pictures, ownerId, now });
    restorer.issues(contents.issues, jobIds, parameters.keepsAuthors);
    const actor = events.actorOf(request);
    events.created(actor, 'task', [taskId]);
    events.created(actor, 'job', jobIds);
  }

  return {
    async survey(work) {
      work.begin('Opening the backup', 0.1);
      const { kind, file } = work.parameters;
      const workFolder = await staging.folders.create(work.request.id);
      return work.thread('inspectBackup', { kind, file, workFolder });
    },

    async plan(work, contents) {
      const { taskIds, owner, labels } = giveIds(work, contents);
      work.begin('Unpacking the images', 0.6);
      const parts: Part[] = [];
      const count = taskIds.length;
      for (const [index, task] of contents.tasks.entries()) {
        parts.push(await preparePart(work, task, { taskId: taskIds[index] ?? 0, index, count }));
      }
      return {
        contents,
        owner,
        labels,
        parts,
        passes: parts.filter(({ jobs }) => jobs.length > 0).map((part) => passOf(part, labels)),
        parsing: { message: 'Reading the annotations', until: 0.98 },
      };
    },

    async publish(work, plan, { summary }, commit) {
      const { contents, owner, parts } = plan;
      const result = {
        message: `${whatCame(contents, parts)} restored. ${importMessage(summary)}${damageNote(parts)}`,
        report: JSON.stringify(summary),
        resultId: owner.id,
      };
      const now = clock();
      await staging.storeMedia(parts.map((part) => incomingTask({ work, plan, now }, part)));
      const pictures = await restorer.placePictures([contents.guide, ...parts.map((part) => part.contents.guide)]);
      try {
        return commit(result, () => {
          const writing: Writing = { work, plan, pictures, now };
          writeProject(writing);
          for (const part of parts) writeTask(writing, part);
          staging.settle(parts.map(({ taskId }) => taskId));
        });
      } catch (error) {
        await pictures.discard();
        throw error;
      }
    },
  };
}

/** Each task is a separate pass: it may have many jobs, and every row is looked up in all targets of its pass. */
function passOf({ contents, jobs }: Part, { labels }: LabelPlan): ImportPass {
  const job: ParseBackupJob = { path: contents.annotations, ranges: contents.ranges, jobs, labels };
  return { parser: 'parseBackup', job, targets: jobs };
}

function whatCame({ project }: BackupContents, parts: readonly Part[]): string {
  const frames = parts.reduce((sum, { media }) => sum + (media?.rows.length ?? 0), 0);
  const what = project ? `The project with ${counted(parts.length, 'task')}` : 'The task';
  return `${what} and ${counted(frames, 'frame')}`;
}

const notedAtMost = 5;
/** Lists truncated images. They are restored, because a task may contain such images on purpose. */
function damageNote(parts: readonly Part[]): string {
  const reasons = parts.flatMap(({ media }) => media?.prepared.warnings.map(({ reason }) => reason) ?? []);
  const more = reasons.length > notedAtMost ? ` There are ${reasons.length - notedAtMost} more such notes.` : '';
  return reasons.length === 0 ? '' : ` ${reasons.slice(0, notedAtMost).join(' ')}${more}`;
}
