import type { Source } from '../../../formats/io/source.ts';
import type { PreparedMedia } from '../../../media/prepare.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { prepareArchiveMedia, type ArchiveMediaJob, type WantedFiles } from '../../import/archive-media.ts';
import { backupLimits, backupView, damagedBackup, withBackup } from './backup-archive.ts';
import { backupFiles, type TaskFile } from './backup-layout.ts';

export interface BackupMediaJob extends ArchiveMediaJob {
  /** Folder of the task in the archive, empty or with a slash at its end. */
  readonly folder: string;
  readonly task: TaskFile;
}

/** What does not become a frame: lists, their index, and what CVAT keeps beside them. */
const noMedia = /(^|\/)(manifest\.jsonl|index\.json|.*\.json|.*\.jsonl|.*\.txt)$/i;
const relatedFolder = /(^|\/)related_images\/[^/]+\/[^/]+$/;

/** Brings the media of one task out of the backup, all of them or none. */
export async function prepareBackupMedia(job: BackupMediaJob, run: JobRun): Promise<PreparedMedia> {
  const { task, folder, file } = job;
  const { data } = task;
  if (!data) throw damagedBackup(`${folder}${backupFiles.task} has no data`);
  const { wanted, order } = await withBackup(file, (source) => mediaOf(source, folder, task));
  const { start_frame, stop_frame, frame_filter } = data;
  const prepared = await prepareArchiveMedia(
    job,
    {
      name: 'backup.zip',
      view: backupView,
      wanted: () => wanted,
      order,
      limits: backupLimits,
      ...(start_frame === null || start_frame === undefined ? {} : { start_frame }),
      ...(stop_frame === null || stop_frame === undefined ? {} : { stop_frame }),
      ...(frame_filter ? { frame_filter: frame_filter.replaceAll(' ', '') } : {}),
    },
    run,
  );
  const [skipped] = prepared.skipped;
  if (skipped) throw damagedBackup(skipped.reason.replace(/\.$/, ''));
  const needed = Math.max(...task.jobs.map(({ stop_frame: stop }) => stop)) + 1;
  const count = prepared.kind === 'video' ? prepared.frame_indices.length : prepared.frames.length;
  if (count < needed) throw damagedBackup(`its jobs need ${needed} frames, and it holds ${count}`);
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
  // Of images Limner writes it always: without it their order would be that of their names.
  if (listed.length === 0 && task.limner?.origin !== undefined && task.data?.custom_segments !== true)
    throw damagedBackup(`the list of its images, ${backupFiles.manifest}, is missing`);
  const missing = listed.find((path) => !source.has(`${prefix}${path}`));
  if (missing !== undefined) throw damagedBackup(`the image ${missing} is missing`);
  const wanted = new Map(paths.map((path) => [nameOf(path, names), `${prefix}${path}`]));
  const order =
    customOrder(task) ?? (listed.length > 0 ? listed : paths.filter((path) => !relatedFolder.test(path)).sort());
  return { wanted, order: order.map((path) => nameOf(path, names)) };
}

/** Where each job has a choice of images of its own, their order is that of the jobs. */
function customOrder({ data, jobs }: TaskFile): string[] | null {
  if (data?.custom_segments !== true) return null;
  const files = jobs.flatMap((job) => (job.type === 'annotation' ? (job.files ?? []) : []));
  return files.length > 0 ? files : null;
}

/** The name of a file that lies under another path; its context images are found by the name of their image. */
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

/** Images in the order of the frames, by their paths below `data`; empty for a video, and where there is no list. */
async function manifestOf(source: Source, path: string): Promise<string[]> {
  if (!source.has(path)) return [];
  const text = new TextDecoder().decode(await source.read(path));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    try {
      const { name, extension } = JSON.parse(line) as { name?: unknown; extension?: unknown };
      return typeof name === 'string' && typeof extension === 'string' ? [`${name}${extension}`] : [];
    } catch (cause) {
      throw damagedBackup(`line ${index + 1} of ${path} is no valid JSON`, cause);
    }
  });
}
