import { join } from 'node:path';
import type { LabeledData, Shape } from '../../../preload/contract/schema/annotations.ts';
import { makeImages, writeImages } from '../../support/images.ts';
import { waitFrame, waitSaved } from './annotate-screen.ts';
import { dropFiles } from './pointer.ts';
import type { Workbench } from './workbench.ts';

/** Creates images in a folder, drops it on the window, and waits for the first frame. Returns the folder. */
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
  await imagesSent(page);
  return folder;
}

/** The images of a dropped folder are sent after its task has opened. */
async function imagesSent(page: Workbench['page']): Promise<void> {
  const path = `/api/limner/jobs/${jobOf({ page })}/frames/progress`;
  const unsent = async (): Promise<number> => {
    const answer = await page.request.get(path);
    return ((await answer.json()) as { readonly unsent: number }).unsent;
  };
  while ((await unsent()) > 0) await page.waitForTimeout(50);
}

type Window = Pick<Workbench, 'page' | 'service'>;
const numberIn = ({ page }: Pick<Window, 'page'>, name: 'tasks' | 'jobs'): number =>
  Number(new RegExp(`${name}/(\\d+)`).exec(page.url())?.[1]);
export const jobOf = (window: Pick<Window, 'page'>): number => numberIn(window, 'jobs');
export const taskOf = (window: Pick<Window, 'page'>): number => numberIn(window, 'tasks');

/** Stored annotations of a job, by default of the open one. */
export const storedIn = (window: Window, job = jobOf(window)): Promise<LabeledData> =>
  window.service.annotations('jobs', job);

export async function storedShapes(window: Window): Promise<Shape[]> {
  await waitSaved(window.page);
  return (await storedIn(window)).shapes;
}
