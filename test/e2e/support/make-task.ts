import { join } from 'node:path';
import { makeImages, writeImages } from '../../support/images.ts';
import { waitFrame, waitSaved } from './annotate-screen.ts';
import { dropFiles } from './pointer.ts';
import type { Workbench } from './workbench.ts';

/** Makes images in a folder, drops it on the window, and waits for the first frame. Answers the folder. */
export async function dropNewTask(workbench: Workbench, name: string, count: number): Promise<string> {
  const folder = join(workbench.folder, name);
  await writeImages(folder, await makeImages(count, { width: 640, height: 480, text: name }));
  await dropFiles(workbench.page, [folder]);
  await workbench.page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(workbench.page, 0, count);
  return folder;
}

export const jobOf = (workbench: Workbench): string => /jobs\/(\d+)/.exec(workbench.page.url())?.[1] ?? '';
export const taskOf = (workbench: Workbench): string => /tasks\/(\d+)/.exec(workbench.page.url())?.[1] ?? '';

/** Numbers of shapes and tags that the service has for the open job. */
export async function storedCounts(
  workbench: Workbench,
  job = jobOf(workbench),
): Promise<{ shapes: number; tags: number }> {
  const answer = await workbench.page.request.get(`/api/jobs/${job}/annotations/`);
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
export async function storedShapes(workbench: Workbench): Promise<StoredShape[]> {
  await waitSaved(workbench.page);
  const answer = await workbench.page.request.get(`/api/jobs/${jobOf(workbench)}/annotations/`);
  return ((await answer.json()) as { shapes: StoredShape[] }).shapes;
}
