import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addImagesSchema } from '../../../../preload/contract/schema/resources.ts';
import { rawDirectory } from '../../../media/media-location.ts';
import { type AddingDependencies, growable, storeAdded } from '../../../work/tasks/added-images.ts';
import { mediaDirectory } from '../../../work/tasks/task-media.ts';
import type { ImportParameters, ImportWork } from '../../import/import-runner.ts';

interface Dependencies extends AddingDependencies {
  readonly databaseFile: string;
}

export type AddMissingImages = ReturnType<typeof createMissingImages>;

/** Adds images that an imported archive has and the task lacks, before the annotations are read. */
export function createMissingImages(dependencies: Dependencies) {
  const { tasks, media, changes, dataDirectory, databaseFile } = dependencies;

  /** @returns names of the added images; in a dry run, of those that would be added */
  return async ({ request, parameters, thread }: ImportWork<ImportParameters>): Promise<readonly string[]> => {
    const task = request.task_id === null ? undefined : tasks.get(request.task_id);
    const { id: mediaId, size } = growable(media, task);
    // `growable` has refused a missing task.
    const taskId = task?.id ?? 0;
    const folder = `imported-${createHash('sha256').update(`${request.id} ${request.created_date}`).digest('hex').slice(0, 24)}`;
    const target = join(rawDirectory({ directory: mediaDirectory(dataDirectory, taskId) }), folder);
    // Left by an interrupted attempt, unless its images were stored.
    if (!media.usesFolder(mediaId, folder)) await rm(target, { recursive: true, force: true });
    const into = parameters.dryRun === true ? null : folder;
    const job = { dataDirectory, databaseFile, taskId, mediaId, size, file: parameters.file, into };
    const { names, prepared } = await thread('prepareMissingImages', job);
    if (prepared === null) return names;
    try {
      const actor = changes.actorOf(request);
      const { frames } = changes.run(actor, {}, () =>
        storeAdded(dependencies, actor, taskId, { request: addImagesSchema.parse({}), prepared }),
      );
      return frames.added.map(({ name }) => name);
    } catch (error) {
      await rm(target, { recursive: true, force: true });
      throw error;
    }
  };
}
