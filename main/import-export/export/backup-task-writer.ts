import { valuesFor } from '../../db/columns.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';
import { taskColumns } from '../../work/tables/task-table.ts';
import { basename, join } from 'node:path';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { ZipWriter } from '../../formats/io/zip-writer.ts';
import { statFrameFile } from '../../media/frame-file.ts';
import type { MediaLocation, StoredFrame } from '../../media/media-location.ts';
import { createNameAllocator } from '../../media/safe-path.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import type { WorkerContext } from '../bulk-writer/worker-context.ts';
import { createTextPromptRepository } from '../../work/text-prompts/text-prompt-repository.ts';
import { createGuideRepository } from '../../work/guides/guide-repository.ts';
import { createIssueRepository } from '../../work/issues/issue-repository.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import { jobStatus } from '../../work/jobs/job-rules.ts';
import { type FrameRow, isRemoved, type MediaRow } from '../../work/tables/media-repository.ts';
import { mediaLocation, storedFrame } from '../../work/tasks/task-media.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import { writeBackupAnnotations } from './backup-annotations-writer.ts';
import { backupFiles, backupVersion } from '../sources/backup/backup-layout.ts';
import { storagesOf } from '../../work/tables/storage-repository.ts';

export interface BackupWriting {
  readonly zip: ZipWriter;
  readonly context: WorkerContext;
  readonly dataDirectory: string;
  readonly run: JobRun;
}

type Place = (name: string) => string;

const framePage = 2000;

/** Writes one task below `folder` ('' or with a trailing slash). */
export async function writeTaskBackup(
  writing: BackupWriting,
  task: TaskRow,
  folder: string,
  progress: (fraction: number) => void,
): Promise<void> {
  const { zip, context, run } = writing;
  const place: Place = (name) => `${folder}${name}`;
  const media = task.media_id === null ? undefined : context.media.get(task.media_id);
  const jobs = bySegments(context.jobs.ofTask(task.id));
  const labels = context.labels.list(labelOwner(task.project_id, task.id));
  const files = media ? frameFiles(writing, media) : { frames: [], listed: [], other: {} };
  await zip.add(place(backupFiles.task), JSON.stringify(taskFile(context, { task, media, jobs, labels, files })));
  const annotations = await zip.beginEntry(place(backupFiles.annotations));
  const jobIds = jobs.map(({ id }) => id);
  const { checkCancelled } = run;
  await writeBackupAnnotations(annotations, context.datasets, { taskId: task.id, jobIds, labels, checkCancelled });
  await annotations.end();
  await writeIssues(writing, jobs, place);
  await writeGuide(writing, { task_id: task.id, project_id: null }, folder);
  if (media) await writeMedia(writing, { task, media, files, place, progress });
}

/** Jobs of a segment together, in the order of CVAT, which assigns annotations to jobs by their position. */
function bySegments(jobs: readonly JobRow[]): JobRow[] {
  const inOrder = jobs.toSorted((a, b) => a.id - b.id);
  return [...Map.groupBy(inOrder, ({ segment_id: segment }) => segment).values()].flat();
}

interface FrameFile {
  readonly row: FrameRow;
  /** Path below `data` in the archive. */
  readonly path: string;
}
interface FrameFiles {
  /** Frames with their own images. */
  readonly frames: readonly FrameFile[];
  /** All frames. A honeypot has the path of the frame that it repeats. */
  readonly listed: readonly FrameFile[];
  /** Paths that differ from their names. */
  readonly other: Readonly<Record<string, string>>;
}

/** Names can have any characters, but paths in an archive must be valid on every system. */
function frameFiles({ context }: BackupWriting, media: MediaRow): FrameFiles {
  if (media.kind === 'video') return { frames: [], listed: [], other: {} };
  const names = createNameAllocator();
  // Reserved for the manifest.
  names.diskPath(backupFiles.manifest);
  const paths = new Map<string, string>();
  const rows: FrameRow[] = [];
  const other: Record<string, string> = {};
  for (let first = 0; first < media.size; first += framePage) {
    for (const row of context.media.frames(media.id, first, first + framePage - 1)) {
      rows.push(row);
      if (isHoneypot(row)) continue;
      const path = names.diskPath(row.name);
      paths.set(row.name, path);
      if (path !== row.name) other[row.name] = path;
    }
  }
  const listed = rows.map((row) => ({ row, path: paths.get(row.name) ?? row.name }));
  return { frames: listed.filter(({ row }) => !isHoneypot(row)), listed, other };
}

/** The archive has its image as that of the validation pool. */
const isHoneypot = ({ real_frame: real }: FrameRow): boolean => typeof real === 'number';

interface Described {
  readonly task: TaskRow;
  readonly media: MediaRow | undefined;
  readonly jobs: readonly JobRow[];
  readonly labels: readonly Label[];
  readonly files: FrameFiles;
}

function taskFile(context: WorkerContext, { task, media, jobs, labels, files }: Described) {
  return {
    version: backupVersion,
    ...valuesFor(taskColumns, 'backup', task),
    status: task.status,
    labels: labels.map(backupLabel),
    data: media ? dataOf(context, media, { jobs, files }) : null,
    jobs: jobs.map((job) => ({ ...jobOf(job), ...(media && hasPool(media) ? { files: filesOf(job, files) } : {}) })),
    limner: {
      segment_size: task.segment_size,
      overlap: task.overlap,
      ...storagesOf(task),
      text_prompts: textPromptsOf(context, { project_id: null, task_id: task.id }),
      files: files.other,
      removed_frames: files.frames.filter(({ row }) => isRemoved(row)).map(({ row }) => row.frame),
      origin: media && media.kind === 'images' ? originOf(media) : undefined,
    },
  };
}

const originOf = ({ start_frame, stop_frame, frame_filter }: MediaRow) => ({ start_frame, stop_frame, frame_filter });

const hasPool = ({ honeypots_per_job: perJob }: MediaRow): boolean => perJob !== null;
const filesOf = ({ start_frame: start, stop_frame: stop }: JobRow, { listed }: FrameFiles): string[] =>
  listed.slice(start, stop + 1).map(({ path }) => path);

/** A validation pool, and that jobs list their files, as CVAT expects both. */
function layoutOf(media: MediaRow, { jobs, files }: Pick<Described, 'jobs' | 'files'>) {
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  if (!hasPool(media) || truth === undefined) return {};
  const { honeypots_per_job: perJob } = media;
  return {
    custom_segments: true,
    validation_layout: { mode: 'gt_pool', frames: filesOf(truth, files), frames_per_job_count: perJob },
  };
}

/** Image tasks: the archive holds only the task's frames, so its files are numbered from 0 without gaps. */
function dataOf({ media: repository }: WorkerContext, media: MediaRow, described: Pick<Described, 'jobs' | 'files'>) {
  const isVideo = media.kind === 'video';
  return {
    chunk_size: media.chunk_size,
    image_quality: media.image_quality,
    start_frame: isVideo ? media.start_frame : 0,
    stop_frame: isVideo ? media.stop_frame : media.size - 1,
    frame_filter: isVideo && media.frame_filter !== '' ? media.frame_filter : undefined,
    storage_method: 'cache',
    storage: 'local',
    sorting_method: isVideo ? media.sorting_method : 'predefined',
    chunk_type: isVideo && media.zip_chunks === 0 ? 'video' : 'imageset',
    deleted_frames: repository.deletedFrames(media.id, 0, media.size - 1),
    ...layoutOf(media, described),
  };
}

const jobOf = (job: JobRow) => ({
  type: job.type,
  status: jobStatus(job),
  stage: job.stage,
  state: job.state,
  start_frame: job.start_frame,
  stop_frame: job.stop_frame,
  frames: job.frames === null ? undefined : (JSON.parse(job.frames) as number[]),
  disabled_frames: job.disabled_frames === '[]' ? undefined : (JSON.parse(job.disabled_frames) as number[]),
});

/** A label without ids. Skeleton drawings refer to their parts by name instead of id. */
export function backupLabel(label: Label) {
  const plain = ({ name, color, type, attributes }: Label | Label['sublabels'][number]) => ({
    name,
    color,
    type,
    attributes: attributes.map(({ id: _id, ...attribute }) => attribute),
  });
  const named = (svg: string) =>
    label.sublabels.reduce(
      (text, { id, name }) => text.replaceAll(`data-label-id="${id}"`, `data-label-name="${name}"`),
      svg,
    );
  return {
    ...plain(label),
    svg: label.svg === undefined ? undefined : named(label.svg),
    sublabels: label.sublabels.map(plain),
  };
}

async function writeIssues({ zip, context }: BackupWriting, jobs: readonly JobRow[], place: Place): Promise<void> {
  const issues = createIssueRepository(context.database);
  const username = (id: number | null) => context.datasets.user(id)?.username ?? null;
  const rows = jobs.flatMap((job, index) =>
    issues.ofJob(job.id).map((issue) => ({
      job: index,
      frame: issue.frame,
      position: JSON.parse(issue.position) as number[],
      resolved: issue.resolved === 1,
      owner: username(issue.owner_id),
      assignee: username(issue.assignee_id),
      created_date: issue.created_date,
      updated_date: issue.updated_date,
      comments: issues.commentsOf(issue.id).map(({ owner_id, message, created_date, updated_date }) => ({
        owner: username(owner_id),
        message,
        created_date,
        updated_date,
      })),
    })),
  );
  if (rows.length > 0) await zip.add(place(backupFiles.issues), JSON.stringify(rows));
}

export const textPromptsOf = (
  { database }: Pick<WorkerContext, 'database'>,
  owner: { readonly project_id: number | null; readonly task_id: number | null },
): readonly string[] => createTextPromptRepository(database).of(owner);

/** Writes the guide's text, with image references as archive paths, and its images. */
export async function writeGuide(
  { zip, context, dataDirectory }: BackupWriting,
  owner: { readonly project_id: number | null; readonly task_id: number | null },
  folder: string,
): Promise<void> {
  const guides = createGuideRepository(context.database);
  const guide = guides.of(owner);
  if (!guide) return;
  let { markdown } = guide;
  for (const uuid of guides.assets(guide.id)) {
    const asset = guides.asset(uuid);
    if (!asset) continue;
    const extension = /\.\w{1,5}$/.exec(asset.filename)?.[0] ?? '';
    const path = `${folder}${backupFiles.assets}/${uuid}${extension}`;
    markdown = markdown.replaceAll(`/api/assets/${uuid}`, path);
    await zip.addFile(path, join(dataDirectory, 'data', 'assets', uuid)).catch(unreadable(asset.filename));
  }
  await zip.add(`${folder}${backupFiles.guide}`, markdown);
}

const unreadable = (name: string) => (cause: unknown) => {
  if (cause instanceof AppError) throw cause;
  const code = (cause as { code?: unknown }).code;
  if (code !== 'ENOENT' && code !== 'EACCES') throw cause;
  throw withoutIt(name, cause);
};

function withoutIt(name: string, cause: unknown): AppError {
  return new AppError(
    'invalid',
    `The file ${name} can no longer be read, and the backup would be incomplete. Nothing was exported; ` +
      'restore the file, or delete the objects that need it.',
    undefined,
    { cause },
  );
}

async function addMediaFile(zip: ZipWriter, name: string, location: MediaLocation, media: StoredFrame): Promise<void> {
  const { path } = await statFrameFile(location, media).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not-found' ? withoutIt(media.path, error) : error;
  });
  await zip.addFile(name, path).catch(unreadable(media.path));
}

interface MediaWriting {
  readonly task: TaskRow;
  readonly media: MediaRow;
  readonly files: FrameFiles;
  readonly place: Place;
  readonly progress: (fraction: number) => void;
}

async function writeMedia(writing: BackupWriting, parts: MediaWriting): Promise<void> {
  const { zip, dataDirectory, run } = writing;
  const { task, media, files, place, progress } = parts;
  const location = mediaLocation(dataDirectory, task.id, media);
  const inData: Place = (path) => place(`${backupFiles.data}/${path}`);
  if (media.kind === 'video') return writeVideo(writing, parts, inData);
  await writeManifest(zip, inData(backupFiles.manifest), files.listed);
  for (const [index, { row, path }] of files.frames.entries()) {
    run.checkCancelled();
    progress(index / files.frames.length);
    await addMediaFile(zip, inData(path), location, storedFrame(media, row));
    for (const [number, related] of row.related.entries()) {
      const target = relatedPath(path, related, number);
      await addMediaFile(zip, inData(target), location, { path: related, file: related });
    }
  }
}

/** Path of a context image beside its image, where an import finds it. */
function relatedPath(path: string, related: string, number: number): string {
  const slash = path.lastIndexOf('/') + 1;
  const folder = `${path.slice(0, slash)}related_images/${path.slice(slash).replaceAll('.', '_')}`;
  return `${folder}/${String(number).padStart(3, '0')}_${basename(related).replaceAll(/[^\w.-]/g, '_')}`;
}

async function writeVideo(
  { zip, dataDirectory }: BackupWriting,
  { task, media }: MediaWriting,
  inData: Place,
): Promise<void> {
  const video = JSON.parse(media.video ?? '{}') as {
    path: string;
    file: string;
    width: number;
    height: number;
    frameCount: number;
  };
  const path = createNameAllocator().diskPath(video.path);
  const lines = [
    { version: '1.1' },
    { type: 'video' },
    { properties: { name: path, resolution: [video.width, video.height], length: video.frameCount } },
  ];
  await zip.add(inData(backupFiles.manifest), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const location = mediaLocation(dataDirectory, task.id, media);
  await addMediaFile(zip, inData(path), location, video);
}

/** Writes one line per image in the order of the frames. */
async function writeManifest(zip: ZipWriter, name: string, frames: readonly FrameFile[]): Promise<void> {
  const entry = await zip.beginEntry(name);
  await entry.write(Buffer.from('{"version":"1.1"}\n{"type":"images"}\n'));
  for (let first = 0; first < frames.length; first += framePage) {
    const lines = frames.slice(first, first + framePage).map(({ row, path }) => {
      const extension = /\.[^./]+$/.exec(path)?.[0] ?? '';
      const stem = path.slice(0, path.length - extension.length);
      const related = row.related.map((file, number) => relatedPath(path, file, number));
      const meta = related.length === 0 ? {} : { meta: { related_images: related } };
      return `${JSON.stringify({ name: stem, extension, width: row.width, height: row.height, ...meta })}\n`;
    });
    await entry.write(Buffer.from(lines.join('')));
  }
  await entry.end();
}
