import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Source } from '../../../formats/io/source.ts';
import type { SourceFile } from '../../../formats/kit/plugin.ts';
import { probeImage } from '../../../media/probe.ts';
import { requireSpace } from '../../../media/unpack.ts';
import { AppError } from '../../../platform/errors.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { findJobRanges, type JobRange } from './annotation-ranges.ts';
import {
  backupFiles,
  issuesFileSchema,
  projectFileSchema,
  taskFileSchema,
  type IssuesFile,
  type ProjectFile,
  type TaskFile,
} from './backup-layout.ts';
import { damagedBackup, readBackupJson, withBackup } from './backup-archive.ts';
import { poolOf } from './backup-pool.ts';

export interface InspectBackupJob {
  readonly kind: 'project' | 'task';
  readonly file: SourceFile;
  /** Empty folder for unpacked annotations and guide images. */
  readonly workFolder: string;
}

export interface GuideContents {
  readonly markdown: string;
  readonly assets: readonly { readonly path: string; readonly file: string; readonly format: string }[];
}

export interface TaskContents {
  /** Folder in the archive: '' or with a trailing slash. */
  readonly folder: string;
  readonly task: TaskFile;
  /** The unpacked annotations, and the range of each job. */
  readonly annotations: string;
  readonly ranges: readonly JobRange[];
  readonly issues: IssuesFile;
  readonly guide: GuideContents | null;
}

export interface BackupContents {
  readonly project: ProjectFile | null;
  readonly guide: GuideContents | null;
  readonly tasks: readonly TaskContents[];
}

const maxGuideBytes = 4 * 1024 * 1024;
const maxAssets = 30;
const maxAssetBytes = 10 * 1024 * 1024;

/** Reads and validates a backup except for its media. */
export function inspectBackup({ kind, file, workFolder }: InspectBackupJob, run: JobRun): Promise<BackupContents> {
  return withBackup(file, async (source) => {
    requireKind(source, kind);
    const project = kind === 'project' ? await readBackupJson(source, backupFiles.project, projectFileSchema) : null;
    const folders = kind === 'project' ? taskFolders(source) : [''];
    const guide = kind === 'project' ? await readGuide(source, '', join(workFolder, 'project')) : null;
    const tasks: TaskContents[] = [];
    for (const [index, folder] of folders.entries()) {
      run.checkCancelled();
      tasks.push(await readTask(source, folder, join(workFolder, String(index))));
      run.progress((index + 1) / folders.length);
    }
    return { project, guide, tasks };
  });
}

function requireKind(source: Source, kind: 'project' | 'task'): void {
  const isProject = source.has(backupFiles.project);
  if (isProject === (kind === 'project')) return;
  if (isProject || source.has(backupFiles.task)) {
    const other = kind === 'project' ? 'task' : 'project';
    throw new AppError(
      'invalid',
      `${source.name} is the backup of a ${other}, not of a ${kind}. Restore it as a ${other}; nothing was restored.`,
    );
  }
  throw damagedBackup(`${kind === 'project' ? backupFiles.project : backupFiles.task} is missing`);
}

/** `task_0/`, `task_1/`, … by number. */
function taskFolders(source: Source): string[] {
  const numbers = new Set<number>();
  for (const { path } of source.entries) {
    const found = /^task_(\d{1,6})\//.exec(path);
    if (found) numbers.add(Number(found[1]));
  }
  return [...numbers].sort((a, b) => a - b).map((number) => `task_${number}/`);
}

async function readTask(source: Source, folder: string, workFolder: string): Promise<TaskContents> {
  await mkdir(workFolder, { recursive: true });
  const task = await readBackupJson(source, `${folder}${backupFiles.task}`, taskFileSchema);
  checkJobs(task, folder);
  const annotations = join(workFolder, backupFiles.annotations);
  await unpack(source, `${folder}${backupFiles.annotations}`, annotations);
  const ranges = await findJobRanges(annotations);
  if (ranges.length !== task.jobs.length) {
    throw damagedBackup(
      `${folder}${backupFiles.annotations} has annotations for ${ranges.length} jobs, but there are ${task.jobs.length}`,
    );
  }
  const issuesPath = `${folder}${backupFiles.issues}`;
  const issues = source.has(issuesPath) ? await readBackupJson(source, issuesPath, issuesFileSchema) : [];
  const orphan = issues.find(({ job }) => job >= task.jobs.length);
  if (orphan) throw damagedBackup(`${issuesPath} refers to job ${orphan.job}, which does not exist`);
  return { folder, task, annotations, ranges, issues, guide: await readGuide(source, folder, workFolder) };
}

function checkJobs(task: TaskFile, folder: string): void {
  const { data, jobs } = task;
  const where = `${folder}${backupFiles.task}`;
  if (!data && jobs.length > 0) throw damagedBackup(`${where} has jobs, but no data for them`);
  if (data && jobs.length === 0) throw damagedBackup(`${where} has data, but no jobs for it`);
  for (const { start_frame: start, stop_frame: stop, frames, disabled_frames: disabled } of jobs) {
    const isInside = (frame: number) => frame >= start && frame <= stop;
    if (start > stop || !(frames ?? []).every(isInside) || !(disabled ?? []).every(isInside)) {
      throw damagedBackup(`${where} has a job with frames outside the task`);
    }
  }
  poolOf(task);
}

async function unpack(source: Source, path: string, target: string): Promise<void> {
  const entry = source.entries.find((one) => one.path === path);
  if (!entry) throw damagedBackup(`${path} is missing`);
  await requireSpace(join(target, '..'), entry.sizeBytes, path);
  // The stream fails if size or checksum differ from the archive's directory.
  await pipeline(source.stream(path), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

async function readGuide(source: Source, folder: string, workFolder: string): Promise<GuideContents | null> {
  const path = `${folder}${backupFiles.guide}`;
  if (!source.has(path)) return null;
  const markdown = new TextDecoder().decode(await source.read(path, maxGuideBytes));
  const prefix = `${folder}${backupFiles.assets}/`;
  const entries = source.entries.filter((entry) => entry.path.startsWith(prefix));
  if (entries.length > maxAssets) throw damagedBackup(`the guide has more than ${maxAssets} images`);
  const assets: { path: string; file: string; format: string }[] = [];
  const target = join(workFolder, backupFiles.assets);
  await mkdir(target, { recursive: true });
  for (const [index, entry] of entries.entries()) {
    if (entry.sizeBytes > maxAssetBytes) throw damagedBackup(`the image ${entry.path} is larger than 10 MB`);
    const file = join(target, String(index));
    await unpack(source, entry.path, file);
    const { format } = await probeImage(file, { name: entry.path });
    if ((await stat(file)).size !== entry.sizeBytes) throw damagedBackup(`the image ${entry.path} is truncated`);
    assets.push({ path: entry.path, file, format });
  }
  return { markdown, assets };
}
