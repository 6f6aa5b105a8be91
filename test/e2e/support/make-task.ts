import { join } from 'node:path';
import { makeImages, writeImages } from '../../support/images.ts';
import { waitFrame, waitSaved } from './annotate-screen.ts';
import { dropFiles } from './pointer.ts';
import type { Workbench } from './workbench.ts';

/** Makes images in a folder, drops it on the window, and waits for the first frame. Answers the folder. */
export async function dropNewTask(
  { page, folder: parent }: Pick<Workbench, 'page' | 'folder'>,
  name: string,
  count: number,
): Promise<string> {
  const folder = join(parent, name);
  await writeImages(folder, await makeImages(count, { width: 640, height: 480, text: name }));
  await dropFiles(page, [folder]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, count);
  return folder;
}

type Window = Pick<Workbench, 'page'>;
export const jobOf = ({ page }: Window): string => /jobs\/(\d+)/.exec(page.url())?.[1] ?? '';
export const taskOf = ({ page }: Window): string => /tasks\/(\d+)/.exec(page.url())?.[1] ?? '';

/** Numbers of shapes and tags that the service has for the open job. */
export async function storedCounts(window: Window, job = jobOf(window)): Promise<{ shapes: number; tags: number }> {
  const answer = await window.page.request.get(`/api/jobs/${job}/annotations/`);
  const data = (await answer.json()) as { shapes: unknown[]; tags: unknown[] };
  return { shapes: data.shapes.length, tags: data.tags.length };
}

export interface StoredShape {
  readonly id: number;
  readonly type: string;
  readonly frame: number;
  readonly label_id: number;
  readonly group: number;
  readonly points: number[];
  readonly rotation: number;
  readonly occluded: boolean;
  readonly source: string;
  readonly score: number;
  readonly attributes: { spec_id: number; value: string }[];
}

/** Shapes that the service has for the open job, once all is saved. */
export async function storedShapes({ page }: Window): Promise<StoredShape[]> {
  await waitSaved(page);
  const answer = await page.request.get(`/api/jobs/${jobOf({ page })}/annotations/`);
  return ((await answer.json()) as { shapes: StoredShape[] }).shapes;
}
