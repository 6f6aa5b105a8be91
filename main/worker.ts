import type { WorkerPaths } from './import-export/bulk-writer/worker-context.ts';
import type { ArrangeNamesJob } from './media/arrange-names.ts';
import type { ArrangeObjectsJob } from './media/arrange-objects.ts';
import type { UnreadFrame } from './media/read-frames.ts';
import type { TilesRequest } from './media/tiles/make-tiles.ts';
import type { FrameEncoder, FrameRequest } from './media/video/encode-frame.ts';
import type { PrepareJob } from './work/tasks/task-data-service.ts';
import { runTask, type JobRun } from './platform/worker-job.ts';
import type { WorkerCall } from './platform/worker-pool.ts';

async function prepareMedia({ dataDirectory, taskId, request }: PrepareJob, run: JobRun) {
  const { packMedia } = await import('./media/packed-media.ts');
  if (request.opensEarly === true) {
    // A folder opens without the code that reads archives and videos.
    const { listImages } = await import('./media/list-images.ts');
    const listed = await listImages(request, run);
    if (listed) return packMedia(listed);
  }
  const { videoReaderFor } = await import('./work/tasks/task-media.ts');
  const { prepareTaskMedia } = await import('./media/prepare.ts');
  const videos = await videoReaderFor(dataDirectory, taskId);
  return packMedia(await prepareTaskMedia(request, { signal: run.signal, progress: run.progress, videos }));
}

const readFrames = async (frames: readonly UnreadFrame[], run: JobRun) =>
  (await import('./media/read-frames.ts')).readFrames(frames, run);

const arrangeObjects = async (job: ArrangeObjectsJob) =>
  (await import('./media/arrange-objects.ts')).arrangeObjects(job);

const arrangeNames = async (job: ArrangeNamesJob) => (await import('./media/arrange-names.ts')).arrangeNames(job);

async function makeTiles(request: TilesRequest, run: JobRun) {
  const { makeTiles: make } = await import('./media/tiles/make-tiles.ts');
  return make(request, run.signal);
}

/** One per thread: its decoders wait for the next frame. */
let frameEncoder: Promise<FrameEncoder> | undefined;
const frames = (): Promise<FrameEncoder> =>
  (frameEncoder ??= import('./media/video/encode-frame.ts').then(({ createFrameEncoder }) => createFrameEncoder()));
const encodeFrame = async (request: FrameRequest, run: JobRun) => (await frames()).encode(request, run.signal);
const closeFrames = async (indexDirectory: string) => (await frames()).close(indexDirectory);

/** Empties discarded annotation sets and media, yielding to other writers between its short transactions. */
async function collectGarbage(paths: WorkerPaths, run: JobRun) {
  const { withWorkerContext } = await import('./import-export/bulk-writer/worker-context.ts');
  const yieldToOthers = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  return withWorkerContext(paths, run, async ({ sets, media }) => {
    await sets.collectGarbage(yieldToOthers, run.signal);
    await media.removeDiscarded(yieldToOthers, run.signal);
  });
}

/**
 * Worker tasks by name. A task's modules are loaded on its first run, because all of them together take 25 MB per
 * thread.
 */
const tasks = {
  exportDataset: async () => (await import('./import-export/export/dataset-export-job.ts')).exportDataset,
  readShapes: async () => (await import('./import-export/export/read-shapes-job.ts')).readShapes,
  exportBackup: async () => (await import('./import-export/export/backup-export-job.ts')).exportBackup,
  inspectAnnotations: async () =>
    (await import('./import-export/sources/annotations/inspect-annotations.ts')).inspectAnnotations,
  prepareMissingImages: async () =>
    (await import('./import-export/sources/annotations/missing-images-job.ts')).prepareMissingImages,
  inspectDataset: async () => (await import('./import-export/sources/dataset/inspect-dataset.ts')).inspectDataset,
  inspectBackup: async () => (await import('./import-export/sources/backup/inspect-backup.ts')).inspectBackup,
  prepareDatasetMedia: async () =>
    (await import('./import-export/sources/dataset/dataset-media.ts')).prepareDatasetMedia,
  prepareBackupMedia: async () => (await import('./import-export/sources/backup/backup-media.ts')).prepareBackupMedia,
  parseAnnotations: async () =>
    (await import('./import-export/sources/annotations/annotations-parse.ts')).parseAnnotations,
  parseDataset: async () => (await import('./import-export/sources/dataset/dataset-parse.ts')).parseDataset,
  parseBackup: async () => (await import('./import-export/sources/backup/backup-parse.ts')).parseBackup,
  writeAnnotations: async () => (await import('./import-export/import/parse-and-write.ts')).writeAnnotations,
  previewExport: async () => (await import('./import-export/export-options/preview-export-job.ts')).previewExport,
  pictureExport: async () => (await import('./import-export/export-preview/frame-preview-job.ts')).pictureExport,
  selectFrames: async () => (await import('./import-export/frames/select-frames-job.ts')).selectFrames,
  prepareFrames: async () => (await import('./import-export/frames/frame-files-jobs.ts')).prepareFrames,
  exportFrames: async () => (await import('./import-export/frames/frame-files-jobs.ts')).exportFrames,
  parseFrames: async () => (await import('./import-export/frames/parse-frames-job.ts')).parseFrames,
  exportEvents: async () => (await import('./analytics/event-jobs.ts')).exportEvents,
  takeSnapshot: async () => (await import('./backup/snapshot.ts')).takeSnapshot,
  writeBackup: async () => (await import('./backup/write-backup.ts')).writeBackup,
  stageBackup: async () => (await import('./backup/restore-backup.ts')).stageBackup,
  prepareMove: async () => (await import('./storage/move-volume.ts')).prepareMove,
  measureTree: async () => (await import('./storage/copy-tree.ts')).measureTree,
  findImageFolders: async () => (await import('./storage/in-place-jobs.ts')).findImageFolders,
  relinkImages: async () => (await import('./storage/in-place-jobs.ts')).relinkImages,
  keepEvents: async () => (await import('./analytics/event-jobs.ts')).keepEvents,
  readCopy: async () => (await import('./git-sync/copy/read-copy-job.ts')).readCopy,
  measureEvents: async () => (await import('./analytics/event-jobs.ts')).measureEvents,
  countEventsOf: async () => (await import('./analytics/event-jobs.ts')).countEventsOf,
  trimEvents: async () => (await import('./analytics/event-jobs.ts')).trimEvents,
  parsePredictionsOfTask: async () =>
    (await import('./evaluation/predictions/parse-task-predictions.ts')).parsePredictionsOfTask,
  evaluatePredictions: async () => (await import('./evaluation/runs/evaluate-job.ts')).evaluatePredictions,
  compareQuality: async () => (await import('./work/quality/compare-frame.ts')).compareQuality,
  mergeReplicas: async () => (await import('./work/consensus/merge-replicas.ts')).mergeReplicas,
  measureAgreement: async () => (await import('./work/consensus/agreement-job.ts')).measureAgreement,
  readJobProgress: async () => (await import('./work/overview/overview-job.ts')).readJobProgress,
  readJobStatistics: async () => (await import('./work/overview/overview-job.ts')).readJobStatistics,
  readTaskStatistics: async () => (await import('./work/overview/overview-job.ts')).readTaskStatistics,
  readProjectStatistics: async () => (await import('./work/overview/overview-job.ts')).readProjectStatistics,
  searchJobFrames: async () => (await import('./work/overview/overview-job.ts')).searchJobFrames,
  checkpointStore: async () => (await import('./db/store/checkpoints.ts')).checkpointStore,
  checkStore: async () => (await import('./db/store/store-check.ts')).findDamage,
  copyStore: async () => (await import('./db/store/keep-copies.ts')).copyStore,
  encodeImage: async () => (await import('./media/encode-image.ts')).encodeImage,
  prepareMedia: () => prepareMedia,
  readFrames: () => readFrames,
  arrangeObjects: () => arrangeObjects,
  arrangeNames: () => arrangeNames,
  makeTiles: () => makeTiles,
  encodeFrame: () => encodeFrame,
  closeFrames: () => closeFrames,
  collectGarbage: () => collectGarbage,
};

type Tasks = { readonly [Name in keyof typeof tasks]: Awaited<ReturnType<(typeof tasks)[Name]>> };

declare module './platform/worker-pool.ts' {
  interface WorkerTasks extends Tasks {}
}

/** Entry point of the worker threads, which `worker-pool.ts` calls. */
export const run = (call: WorkerCall): Promise<unknown> => runTask(tasks[call.name], call);
