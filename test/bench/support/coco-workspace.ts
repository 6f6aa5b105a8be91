import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { makeFrameFolder } from '../../support/tiny-frames.ts';
import { categoryName, generateCoco, imageName, type CocoSize } from './generate-coco.ts';
import type { BenchOptions } from './options.ts';
import { makeShapes } from './shapes.ts';
import type { Question } from './steady-probe.ts';

const categories = 80;
const shapesOfProbe = 50;

export interface CocoWorkspace {
  readonly file: string;
  readonly fileBytes: number;
  readonly taskId: number;
  /** Reads a frame of another task while the import runs. */
  readonly read: Question;
  readonly edit: Question;
  readonly createTaskMs: number;
  /** Copies the data directory for one round. It has both tasks and no annotations in the first. */
  readonly copyDataDir: (name: string) => Promise<string>;
}

/** Writes the file, and a data directory with a task of as many frames: hard links to one small JPEG, used in place. */
export async function prepareCoco(folder: string, size: CocoSize, { entry }: BenchOptions): Promise<CocoWorkspace> {
  const file = join(folder, 'instances.json');
  await generateCoco(file, { ...size, categories });
  const frames = join(folder, 'frames');
  await makeFrameFolder(frames, size.images, imageName);
  const template = join(folder, 'template');
  await using server = await startServer({ entry, dataDir: template });
  const client = await signIn(server);
  const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
  const { id: taskId } = await client.createTask({ name: 'train', labels });
  const started = performance.now();
  await client.finished(await client.useServerFiles(taskId, [frames]), 100);
  const createTaskMs = performance.now() - started;
  const probe = await client.taskWithImages({ name: 'probe', labels: [{ name: 'thing' }] }, await makeImages(1));
  const [label] = await client.labels(probe.id);
  const shapes = makeShapes(shapesOfProbe, label?.id ?? 0);
  const created = await client.changeAnnotations('tasks', probe.id, 'create', { shapes });
  const annotations = `/api/tasks/${probe.id}/annotations/`;
  return {
    file,
    fileBytes: (await stat(file)).size,
    taskId,
    read: { method: 'GET', path: `${annotations}?frame=0`, everyMs: 10 },
    edit: {
      method: 'PATCH',
      path: `${annotations}?action=update`,
      body: JSON.stringify({ shapes: created.shapes.slice(0, 1) }),
      everyMs: 50,
    },
    createTaskMs,
    async copyDataDir(name) {
      const copy = join(folder, name);
      await cp(template, copy, { recursive: true });
      return copy;
    },
  };
}
