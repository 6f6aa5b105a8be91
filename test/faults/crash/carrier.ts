import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { categoryName, cocoImageSize, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import { ApiError, type TestClient } from '../../support/client.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';

const imageCount = 4;
const annotations = 2000;
const categories = 2;

interface Accepted {
  readonly taskId: number;
  readonly requestId: string;
  readonly kind: 'upload' | 'import';
}

export type Carrier = Awaited<ReturnType<typeof createCarrier>>;

/** A client that uploads images and imports annotations, and remembers accepted requests. */
export async function createCarrier(folder: string) {
  const images: NamedImage[] = (await makeImages(imageCount, cocoImageSize)).map((image, index) => ({
    ...image,
    name: imageName(index),
  }));
  const file = join(folder, 'carried.json');
  await generateCoco(file, { images: imageCount, annotations, categories });
  const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
  const accepted: Accepted[] = [];
  const waiting: (() => void)[] = [];
  let uploaded: Accepted | null = null;

  function accept(one: Accepted): void {
    accepted.push(one);
    for (const tell of waiting.splice(0)) tell();
  }

  async function upload(client: TestClient): Promise<Accepted> {
    const { id: taskId } = await client.createTask({ labels });
    const one: Accepted = { taskId, requestId: await client.uploadImages(taskId, images), kind: 'upload' };
    accept(one);
    return one;
  }

  /** An import whose answer was cut off by a kill may exist already; another one would double its annotations. */
  async function startedImport(client: TestClient, taskId: number): Promise<string> {
    const { results } = await client.good<{ results: { id: string }[] }>('GET', '/api/requests', {
      query: { task_id: taskId, action: 'import' },
    });
    const requestId = results[0]?.id ?? (await client.startImport('tasks', taskId, 'COCO 1.0', { path: file }));
    accept({ taskId, requestId, kind: 'import' });
    return requestId;
  }

  async function carryOne(client: TestClient): Promise<void> {
    uploaded ??= await upload(client);
    const { taskId, requestId } = uploaded;
    await client.finished(requestId);
    const imported = await startedImport(client, taskId);
    uploaded = null;
    await client.finished(imported);
  }

  async function problemsOf(client: TestClient, { taskId, requestId, kind }: Accepted): Promise<string[]> {
    const { status, message } = await client.ended(requestId);
    if (status !== 'finished') return [`${requestId}: ${message}`];
    if (kind === 'import') {
      const { shapes } = await client.annotations('tasks', taskId);
      return shapes.length === annotations ? [] : [`${requestId}: ${shapes.length} of ${annotations} annotations`];
    }
    const broken: string[] = [];
    for (const [number, image] of images.entries()) {
      const bytes = await client.bytes(`/api/tasks/${taskId}/data/?type=frame&quality=original&number=${number}`);
      if (!bytes.equals(image.bytes)) broken.push(`${requestId}: image ${number} differs`);
    }
    return broken;
  }

  return {
    count: (kind: Accepted['kind']) => accepted.filter((one) => one.kind === kind).length,
    untilAccepted: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Uploads and imports until the connection breaks. A refusal fails the test. */
    async carry(client: TestClient, isKilled: () => boolean): Promise<void> {
      while (!isKilled()) {
        try {
          await carryOne(client);
        } catch (error) {
          if (error instanceof ApiError || !isKilled()) throw error;
          return;
        }
      }
    },
    /** Waits for all accepted requests and returns those that were lost or failed. */
    async problems(client: TestClient): Promise<string[]> {
      const found: string[] = [];
      for (const one of accepted) found.push(...(await problemsOf(client, one)));
      return found;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
