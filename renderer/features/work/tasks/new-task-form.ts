import { isArchiveName, isVideoName } from '../../../../preload/contract/media-names.ts';
import type { NamedFile } from '../../../api/uploads.ts';
import { chooseMedia, nameForPaths, nameForTask } from '../../../shared/files/media-files.ts';
import { type BucketChoice, filesOfChoice, noBucket } from '../../../shared/buckets/bucket-choice.ts';
import { writeOfLabel, type LabelDraft } from '../labels/label-draft.ts';
import { noValidation, poolSize, type ValidationChoice, validationParameters } from '../quality/validation-choice.ts';
import type { NewMedia, NewTask } from '../task-creation/creation-dialog.tsx';

export const sortingMethods = ['natural', 'lexicographical', 'predefined', 'random'] as const;

export interface NewTaskForm {
  /** Files are uploaded; paths and objects of a bucket are used in place. */
  readonly source: 'files' | 'paths' | 'bucket';
  readonly files: readonly NamedFile[];
  readonly ignoredCount: number;
  readonly paths: readonly string[];
  readonly bucket: BucketChoice;
  /** One task per video and folder, or per path. */
  readonly isSeparate: boolean;
  readonly name: string;
  readonly projectId: number | null;
  readonly labels: readonly LabelDraft[];
  readonly sorting: (typeof sortingMethods)[number];
  readonly segmentSize: number;
  readonly overlap: number;
  /** Replicas per job; 0 for none. */
  readonly replicas: number;
  readonly validation: ValidationChoice;
  readonly quality: number;
  readonly subset: string;
  readonly startFrame: number | null;
  readonly stopFrame: number | null;
  readonly step: number;
  readonly chunkSize: number | null;
  readonly assigneeId: number | null;
  readonly bugTracker: string;
}

export const emptyForm = (projectId: number | null, bucketId: number | null = null): NewTaskForm => ({
  source: bucketId === null ? 'files' : 'bucket',
  files: [],
  ignoredCount: 0,
  paths: [],
  bucket: { ...noBucket, storageId: bucketId },
  isSeparate: false,
  name: '',
  projectId,
  labels: [],
  sorting: 'natural',
  segmentSize: 0,
  overlap: 0,
  replicas: 0,
  validation: noValidation,
  quality: 70,
  subset: '',
  startFrame: null,
  stopFrame: null,
  step: 1,
  chunkSize: null,
  assigneeId: null,
  bugTracker: '',
});

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Groups media by task: each video, and the files of a folder. */
export function filesByTask(files: readonly NamedFile[]): readonly (readonly NamedFile[])[] {
  const groups = Map.groupBy(files, ({ path }) => (isVideoName(path) ? `video ${path}` : `folder ${folderOf(path)}`));
  return [...groups.values()];
}

interface Part {
  readonly media: NewMedia;
  readonly name: string;
}

function nameOfGroup(files: readonly NamedFile[], now: Date): string {
  const [first] = files;
  const folder = folderOf(first?.path ?? '');
  if (first === undefined || folder === '') return nameForTask(files, now);
  if (isVideoName(first.path)) return nameForTask([{ path: first.path.slice(folder.length + 1) }], now);
  return folder.slice(folder.lastIndexOf('/') + 1).slice(0, 256);
}

function partsOf({ source, files, paths, bucket, isSeparate }: NewTaskForm, now: Date): readonly Part[] {
  if (source === 'bucket') {
    const chosen = filesOfChoice(bucket);
    const pattern = bucket.pattern.trim();
    const media = {
      paths: chosen,
      ...(bucket.storageId === null ? {} : { cloudStorageId: bucket.storageId }),
      ...(pattern === '' ? {} : { pattern }),
    };
    const named = bucket.keys.length > 0 ? bucket.keys : chosen.filter((one) => one !== '*');
    return [{ media, name: nameForPaths(named, now) }];
  }
  if (source === 'paths') {
    const groups = isSeparate ? paths.map((path) => [path]) : [paths];
    return groups.map((group) => ({ media: { paths: group }, name: nameForPaths(group, now) }));
  }
  if (!isSeparate) {
    const chosen = chooseMedia(files).files;
    return [{ media: { files: chosen }, name: nameForTask(chosen, now) }];
  }
  return filesByTask(files).map((group) => ({ media: { files: group }, name: nameOfGroup(group, now) }));
}

/** A task with honeypots is sorted randomly, and its jobs do not overlap. */
export const hasPool = ({ validation }: NewTaskForm): boolean => validation.mode === 'gt_pool';

export function tasksOfForm(form: NewTaskForm, now: Date): readonly NewTask[] {
  const validation = validationParameters(form.validation);
  const parts = partsOf(form, now);
  const given = form.name.trim();
  return parts.map((part) => ({
    media: part.media,
    task: {
      name: given === '' ? part.name : parts.length === 1 ? given : `${given} · ${part.name}`.slice(0, 256),
      segment_size: form.segmentSize,
      subset: form.subset.trim(),
      bug_tracker: form.bugTracker.trim(),
      ...(form.assigneeId === null ? {} : { assignee_id: form.assigneeId }),
      ...(form.replicas > 0 ? { consensus_replicas: form.replicas } : {}),
      ...(form.overlap > 0 && !hasPool(form) ? { overlap: form.overlap } : {}),
      ...(form.projectId === null ? { labels: form.labels.map(writeOfLabel) } : { project_id: form.projectId }),
    },
    data: {
      image_quality: form.quality,
      sorting_method: hasPool(form) ? 'random' : form.sorting,
      ...(form.startFrame === null ? {} : { start_frame: form.startFrame }),
      ...(form.stopFrame === null ? {} : { stop_frame: form.stopFrame }),
      ...(form.step > 1 ? { frame_filter: `step=${form.step}` } : {}),
      ...(form.chunkSize === null ? {} : { chunk_size: form.chunkSize }),
      ...(validation === undefined ? {} : { validation_params: validation }),
    },
  }));
}

export interface Forecast {
  readonly tasks: number;
  /** Null if videos, archives, paths or buckets have to be read first. */
  readonly frames: number | null;
  readonly jobs: number | null;
  readonly bytes: number;
}

export function forecastOf(form: NewTaskForm): Forecast {
  const { source, isSeparate, startFrame, stopFrame, step, segmentSize, validation } = form;
  const overlap = hasPool(form) ? 0 : form.overlap;
  if (source === 'bucket')
    return { tasks: Math.min(1, filesOfChoice(form.bucket).length), frames: null, jobs: null, bytes: 0 };
  if (source === 'paths') {
    return {
      tasks: isSeparate ? form.paths.length : Math.min(1, form.paths.length),
      frames: null,
      jobs: null,
      bytes: 0,
    };
  }
  const groups = isSeparate
    ? filesByTask(form.files)
    : [chooseMedia(form.files).files].filter(({ length }) => length > 0);
  const all = groups.flat();
  const bytes = all.reduce((sum, { file }) => sum + file.size, 0);
  if (all.some(({ path }) => isVideoName(path) || isArchiveName(path))) {
    return { tasks: groups.length, frames: null, jobs: null, bytes };
  }
  const counts = groups.map(({ length }) => {
    const last = Math.min(length - 1, stopFrame ?? length - 1);
    return Math.max(0, Math.floor((last - (startFrame ?? 0)) / step) + 1);
  });
  const jobsOf = (frames: number): number => {
    if (segmentSize === 0 || frames <= segmentSize) return Math.min(1, frames);
    const advance = segmentSize - Math.min(overlap, Math.floor(segmentSize / 2));
    return 1 + Math.ceil((frames - segmentSize) / advance);
  };
  return {
    tasks: groups.length,
    frames: counts.reduce((sum, count) => sum + count, 0),
    // Frames of the pool are not in the jobs.
    jobs: counts.reduce((sum, count) => {
      const pool = hasPool(form) ? Math.min(count, poolSize(validation, count)) : 0;
      return sum + jobsOf(count - pool);
    }, 0),
    bytes,
  };
}
