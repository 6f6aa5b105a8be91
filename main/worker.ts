import type { WorkerPaths } from './import-export/bulk-writer/worker-context.ts';
import type { TilesRequest } from './media/tiles/make-tiles.ts';
import type { FrameEncoder, FrameRequest } from './media/video/encode-frame.ts';
import type { PrepareJob } from './work/tasks/task-data-service.ts';
import { workerJob, type JobRun } from './platform/worker-job.ts';

/**
 * Module of the worker threads: each export is a job that `worker-pool.ts` runs by name. A job's modules are loaded on
 * its first run, because all of them together take 25 MB per thread.
 */
const job = <Payload, Result>(load: () => Promise<(payload: Payload, run: JobRun) => Promise<Result> | Result>) =>
  workerJob(async (payload: Payload, run: JobRun) => (await load())(payload, run));

export const exportDataset = job(
  async () => (await import('./import-export/export/dataset-export-job.ts')).exportDataset,
);
export const readShapes = job(async () => (await import('./import-export/export/read-shapes-job.ts')).readShapes);
export const exportBackup = job(async () => (await import('./import-export/export/backup-export-job.ts')).exportBackup);
export const inspectAnnotations = job(
  async () => (await import('./import-export/sources/annotations/inspect-annotations.ts')).inspectAnnotations,
);
export const inspectDataset = job(
  async () => (await import('./import-export/sources/dataset/inspect-dataset.ts')).inspectDataset,
);
export const inspectBackup = job(
  async () => (await import('./import-export/sources/backup/inspect-backup.ts')).inspectBackup,
);
export const prepareDatasetMedia = job(
  async () => (await import('./import-export/sources/dataset/dataset-media.ts')).prepareDatasetMedia,
);
export const prepareBackupMedia = job(
  async () => (await import('./import-export/sources/backup/backup-media.ts')).prepareBackupMedia,
);
export const parseAnnotations = job(
  async () => (await import('./import-export/sources/annotations/annotations-parse.ts')).parseAnnotations,
);
export const parseDataset = job(
  async () => (await import('./import-export/sources/dataset/dataset-parse.ts')).parseDataset,
);
export const parseBackup = job(
  async () => (await import('./import-export/sources/backup/backup-parse.ts')).parseBackup,
);
export const writeAnnotations = job(
  async () => (await import('./import-export/import/parse-and-write.ts')).writeAnnotations,
);
export const previewExport = job(
  async () => (await import('./import-export/export-options/preview-export-job.ts')).previewExport,
);
export const pictureExport = job(
  async () => (await import('./import-export/export-preview/frame-preview-job.ts')).pictureExport,
);
export const selectFrames = job(async () => (await import('./import-export/frames/select-frames-job.ts')).selectFrames);
export const prepareFrames = job(
  async () => (await import('./import-export/frames/frame-files-jobs.ts')).prepareFrames,
);
export const exportFrames = job(async () => (await import('./import-export/frames/frame-files-jobs.ts')).exportFrames);
export const parseFrames = job(async () => (await import('./import-export/frames/parse-frames-job.ts')).parseFrames);
export const exportEvents = job(async () => (await import('./analytics/event-jobs.ts')).exportEvents);
export const takeSnapshot = job(async () => (await import('./backup/snapshot.ts')).takeSnapshot);
export const writeBackup = job(async () => (await import('./backup/write-backup.ts')).writeBackup);
export const stageBackup = job(async () => (await import('./backup/restore-backup.ts')).stageBackup);
export const prepareMove = job(async () => (await import('./storage/move-volume.ts')).prepareMove);
export const measureTree = job(async () => (await import('./storage/copy-tree.ts')).measureTree);
export const findImageFolders = job(async () => (await import('./storage/in-place-jobs.ts')).findImageFolders);
export const relinkImages = job(async () => (await import('./storage/in-place-jobs.ts')).relinkImages);
export const keepEvents = job(async () => (await import('./analytics/event-jobs.ts')).keepEvents);
export const readCopy = job(async () => (await import('./git-sync/copy/read-copy-job.ts')).readCopy);
export const measureEvents = job(async () => (await import('./analytics/event-jobs.ts')).measureEvents);
export const countEventsOf = job(async () => (await import('./analytics/event-jobs.ts')).countEventsOf);
export const trimEvents = job(async () => (await import('./analytics/event-jobs.ts')).trimEvents);

export const parsePredictionsOfTask = job(
  async () => (await import('./evaluation/predictions/parse-task-predictions.ts')).parsePredictionsOfTask,
);
export const evaluatePredictions = job(
  async () => (await import('./evaluation/runs/evaluate-job.ts')).evaluatePredictions,
);

export const compareQuality = job(async () => (await import('./work/quality/compare-frame.ts')).compareQuality);

export const mergeReplicas = job(async () => (await import('./work/consensus/merge-replicas.ts')).mergeReplicas);
export const measureAgreement = job(async () => (await import('./work/consensus/agreement-job.ts')).measureAgreement);

export const checkpointStore = job(async () => (await import('./db/store/checkpoints.ts')).checkpointStore);
export const checkStore = job(async () => (await import('./db/store/store-check.ts')).findDamage);
export const copyStore = job(async () => (await import('./db/store/keep-copies.ts')).copyStore);

export const prepareMedia = workerJob(async ({ dataDirectory, taskId, request }: PrepareJob, run) => {
  const { videoReaderFor } = await import('./work/tasks/task-media.ts');
  const { prepareTaskMedia } = await import('./media/prepare.ts');
  const videos = await videoReaderFor(dataDirectory, taskId);
  return prepareTaskMedia(request, { signal: run.signal, progress: run.progress, videos });
});

export const makeTiles = workerJob(async (request: TilesRequest, run) => {
  const { makeTiles: make } = await import('./media/tiles/make-tiles.ts');
  return run.listening((signal) => make(request, signal));
});

/** One per thread: its decoders wait for the next frame. */
let frameEncoder: Promise<FrameEncoder> | undefined;
const frames = (): Promise<FrameEncoder> =>
  (frameEncoder ??= import('./media/video/encode-frame.ts').then(({ createFrameEncoder }) => createFrameEncoder()));
export const encodeFrame = workerJob(async (request: FrameRequest, run) =>
  run.listening(async (signal) => (await frames()).encode(request, signal)),
);
export const closeFrames = workerJob(async (indexDirectory: string) => (await frames()).close(indexDirectory));

export const encodeImage = job(async () => (await import('./media/encode-image.ts')).encodeImage);

/** Empties discarded annotation sets, yielding to other writers between its short transactions. */
export const collectGarbage = workerJob(async (paths: WorkerPaths, run) => {
  const { withWorkerContext } = await import('./import-export/bulk-writer/worker-context.ts');
  return withWorkerContext(paths, run, ({ sets }) =>
    sets.collectGarbage(() => new Promise((resolve) => setTimeout(resolve, 5)), run.signal),
  );
});
