import { createBackupExportRunner } from '../import-export/export/backup-export.ts';
import { withBucketTarget } from '../import-export/export/bucket-target.ts';
import { createDatasetExportRunner } from '../import-export/export/dataset-export.ts';
import { createFramesExportRunner, createFramesService } from '../import-export/frames/frames-service.ts';
import { createFramesToTask } from '../import-export/frames/frames-to-task.ts';
import { createImportRunner } from '../import-export/import/import-runner.ts';
import { createImportStaging } from '../import-export/import/import-staging.ts';
import { createAnnotationsImport } from '../import-export/sources/annotations/annotations-import.ts';
import { createMissingImages } from '../import-export/sources/annotations/missing-images.ts';
import { createBackupImport } from '../import-export/sources/backup/backup-import.ts';
import { createDatasetImport } from '../import-export/sources/dataset/dataset-import.ts';
import { createBackupService, createDatasetService } from '../import-export/transfer-services.ts';
import type { AnnotationFeed } from '../work/annotations/annotation-feed.ts';
import type { ReplacedAnnotations } from '../work/annotations/replaced-annotations.ts';
import type { ReplacedFrameRepository } from '../work/tables/replaced-frame-repository.ts';
import type { Foundation } from './foundation.ts';

/** Imports and exports of datasets, backups and annotations. */
export function createImportExport(
  foundation: Foundation,
  replaced: ReplacedAnnotations,
  news: AnnotationFeed,
  savedFrames: ReplacedFrameRepository,
) {
  const { database, databaseFile, dataDirectory, workers, clock, log, access, changes: events, formats } = foundation;
  const { queue, requests, garbage, repositories, preparation, cloudStorages } = foundation;
  const { projects, tasks, jobs, media, labelRows, sets } = repositories;
  const staging = createImportStaging({ database, dataDirectory, log, tasks, media, jobs, sets });
  const runImport = createImportRunner({
    database,
    databaseFile,
    dataDirectory,
    workers,
    staging,
    formats,
    onDiscarded: garbage.collect,
  });
  const annotationsImport = createAnnotationsImport({
    database,
    databaseFile,
    dataDirectory,
    projects,
    tasks,
    jobs,
    labelRows,
    sets,
    staging,
    replaced,
    news,
    events,
    clock,
    addMissingImages: createMissingImages({
      databaseFile,
      dataDirectory,
      tasks,
      jobs,
      media,
      changes: events,
      clock,
      replaced,
      frames: savedFrames,
    }),
  });
  const datasetImport = createDatasetImport({
    database,
    dataDirectory,
    projects,
    labelRows,
    sets,
    staging,
    events,
    clock,
  });
  const backupImport = createBackupImport({
    database,
    dataDirectory,
    projects,
    tasks,
    labelRows,
    sets,
    staging,
    events,
    clock,
  });
  const framesToTask = createFramesToTask({
    database,
    databaseFile,
    dataDirectory,
    tasks,
    labelRows,
    sets,
    staging,
    events,
    clock,
  });
  const { clientOf } = cloudStorages;
  const datasetExport = withBucketTarget(
    createDatasetExportRunner({ database, databaseFile, dataDirectory, workers, formats }),
    clientOf,
  );
  const backupExport = withBucketTarget(
    createBackupExportRunner({ databaseFile, dataDirectory, tasks, projects, workers }),
    clientOf,
  );
  queue.register('import:annotations', runImport(annotationsImport));
  queue.register('import:dataset', runImport(datasetImport));
  queue.register('import:backup', runImport(backupImport));
  queue.register('create:frames', runImport(framesToTask));
  queue.register('export:annotations', datasetExport);
  queue.register('export:dataset', datasetExport);
  queue.register('export:backup', backupExport);
  queue.register('export:frames', createFramesExportRunner({ workers, databaseFile, dataDirectory }));
  return {
    services: {
      datasets: createDatasetService(
        { access, tasks, formats, workers, databaseFile, dataDirectory, preparation, cloudStorages },
        requests,
      ),
      backups: createBackupService({ access, tasks, cloudStorages }, requests),
      frameImages: createFramesService({ access, media, workers, databaseFile, dataDirectory }, requests),
    },
    /** For sources of imports in other modules. */
    runImport,
    /** Call it at start, before requests are resumed. */
    recover: staging.recover,
  };
}
