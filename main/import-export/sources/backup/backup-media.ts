import type { Source } from '../../../formats/io/source.ts';
import type { PreparedMedia } from '../../../media/media-preparation.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { prepareArchiveMedia, type ArchiveMediaJob, type WantedFiles } from '../../import/archive-media.ts';
import { backupLimits, backupView, damagedBackup, withBackup } from './backup-archive.ts';
import { backupFiles, type TaskFile } from './backup-layout.ts';
import { poolOf } from './backup-pool.ts';

export interface BackupMediaJob extends ArchiveMediaJob {
  /** Folder of the task in the archive: '' or with a trailing slash. */
  readonly folder: string;
  readonly task: TaskFile;
}

/** Files that are not frames: lists, their index, and CVAT's additional files. */
const noMedia = /(^|\/)(manifest\.jsonl|index\.json|.*\.json|.*\.jsonl|.*\.txt)$/i;
const relatedFolder = /(^|\/)related_images\/[^/]+\/[^/]+$/;

/** Extracts the media of one task from the backup, all or none. */
export async function prepareBackupMedia(job: BackupMediaJob, run: JobRun): Promise<PreparedMedia> {
  const { task, folder, file } = job;
  const { data } = task;
  if (!data) throw damagedBackup(`${folder}${backupFiles.task} has no data`);
  const { wanted, order } = await withBackup(file, (source) => mediaOf(source, folder, task));
  const pool = poolOf(task);
  // The range of a pool counts honeypots, whose images the archive has once.
  const { start_frame, stop_frame, frame_filter } = pool ? {} : data;
  const prepared = await prepareArchiveMedia(
    job,
    {
      name: 'backup.zip',
      view: backupView,
      wanted: () => wanted,
      order,
      limits: backupLimits,
      start_frame: start_frame ?? undefined,
      stop_frame: stop_frame ?? undefined,
      frame_filter: frame_filter?.replaceAll(' ', ''),
    },
    run,
  );
  const [skipped] = prepared.skipped;
  if (skipped) throw damagedBackup(skipped.reason.replace(/\.$/, ''));
  const needed = pool?.files.length ?? Math.max(...task.jobs.map(({ stop_frame: stop }) => stop)) + 1;
  const count = prepared.kind === 'video' ? prepared.frame_indices.length : prepared.frames.length;
  if (pool ? count !== needed : count < needed)
    throw damagedBackup(`its jobs need ${needed} frames, but it has ${count}`);
  return prepared;
}

interface Media {
  readonly wanted: WantedFiles;
  /** Names of the images in the order of the frames. */
  readonly order: string[];
}

async function mediaOf(source: Source, folder: string, task: TaskFile): Promise<Media> {
  const prefix = `${folder}${backupFiles.data}/`;
  const names = new Map(Object.entries(task.limner?.files ?? {}).map(([name, path]) => [path, name]));
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .filter((path) => !noMedia.test(path));
  const listed = await manifestOf(source, `${prefix}${backupFiles.manifest}`);
  // Limner always writes it for images, because without it they would be ordered by name.
  if (listed.length === 0 && task.limner?.origin !== undefined && task.data?.custom_segments !== true)
    throw damagedBackup(`the list of its images, ${backupFiles.manifest}, is missing`);
  const missing = listed.find((path) => !source.has(`${prefix}${path}`));
  if (missing !== undefined) throw damagedBackup(`the image ${missing} is missing`);
  const wanted = new Map(paths.map((path) => [nameOf(path, names), `${prefix}${path}`]));
  const order =
    poolOf(task)?.files ??
    customOrder(task) ??
    (listed.length > 0 ? listed : paths.filter((path) => !relatedFolder.test(path)).sort());
  return { wanted, order: order.map((path) => nameOf(path, names)) };
}

/** Images in the order of the jobs, if each job has its own selection. */
function customOrder({ data, jobs }: TaskFile): string[] | null {
  if (data?.custom_segments !== true) return null;
  const files = jobs.flatMap((job) => (job.type === 'annotation' ? (job.files ?? []) : []));
  return files.length > 0 ? files : null;
}

/** Name of a file stored under another path. Context images are found by the name of their image. */
function nameOf(path: string, names: ReadonlyMap<string, string>): string {
  const own = names.get(path);
  if (own !== undefined) return own;
  const related = /^(.*\/)?related_images\/([^/]+)\/([^/]+)$/.exec(path);
  if (!related || names.size === 0) return path;
  const [, folder = '', key, file = ''] = related;
  for (const [from, name] of names) {
    const slash = from.lastIndexOf('/') + 1;
    if (from.slice(0, slash) !== folder || from.slice(slash).replaceAll('.', '_') !== key) continue;
    const end = name.lastIndexOf('/') + 1;
    return `${name.slice(0, end)}related_images/${name.slice(end).replaceAll('.', '_')}/${file}`;
  }
  return path;
}

/** Images in the order of the frames, by path below `data`; empty for a video or without a list. */
async function manifestOf(source: Source, path: string): Promise<string[]> {
  if (!source.has(path)) return [];
  const text = new TextDecoder().decode(await source.read(path));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    try {
      const { name, extension } = JSON.parse(line) as { name?: unknown; extension?: unknown };
      return typeof name === 'string' && typeof extension === 'string' ? [`${name}${extension}`] : [];
    } catch (cause) {
      throw damagedBackup(`line ${index + 1} of ${path} is not valid JSON`, cause);
    }
  });
}
