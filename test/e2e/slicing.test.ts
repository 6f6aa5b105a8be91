import { expect, it } from 'vitest';
import { typeLabel, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { clickPlaces, drag, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page } = workbench;
await dropNewTask(workbench, 'leaf', 1);
await typeLabel(page, 'leaf');

const stored = async (): Promise<{ type: string; points: number[] }[]> => {
  await waitSaved(page);
  const answer = await page.request.get(`/api/jobs/${jobOf(workbench)}/annotations/`);
  return ((await answer.json()) as { shapes: { type: string; points: number[] }[] }).shapes;
};
const types = async (): Promise<readonly string[]> => (await stored()).map(({ type }) => type);

it('a polygon and a mask are sliced by a line, and one undo makes each whole again', async () => {
  await page.keyboard.press('Shift+p');
  await clickPlaces(page, [
    [0.2, 0.2],
    [0.45, 0.2],
    [0.45, 0.7],
    [0.2, 0.7],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('Alt+j');
  await clickPlaces(page, [
    [0.1, 0.4],
    [0.3, 0.5],
  ]);
  await page.keyboard.press('n');
  await page.getByText('The line does not go through from edge to edge').first().waitFor();
  await clickPlaces(page, [[0.52, 0.4]]);
  await page.keyboard.press('n');
  await expect.poll(types).toEqual(['polygon', 'polygon']);
  await page.keyboard.press('Control+z');
  await expect.poll(types).toEqual(['polygon']);

  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Digit1');
  await drag(page, [0.6, 0.5], [0.85, 0.5]);
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Slice a polygon or mask' }).click();
  await clickPlaces(page, [
    [0.72, 0.2],
    [0.72, 0.8],
  ]);
  await page.keyboard.press('Enter');
  await expect.poll(types).toEqual(['polygon', 'mask', 'mask']);
});

it('a hole is cut into a polygon, and one that crosses the outline is refused', async () => {
  const first = page.getByTestId('object').last();
  await page.keyboard.press('Escape');
  await first.click();
  const [before] = await stored();
  await page.getByRole('button', { name: 'Cut a hole into a polygon' }).click();
  await clickPlaces(page, [
    [0.1, 0.3],
    [0.3, 0.3],
    [0.3, 0.5],
  ]);
  await page.keyboard.press('n');
  await page.getByText('The hole crosses the outline or another hole').first().waitFor();
  await page.keyboard.press('Escape');
  const hole: Place[] = [
    [0.28, 0.35],
    [0.38, 0.35],
    [0.38, 0.55],
  ];
  // The last click, on the first point, closes it.
  await clickPlaces(page, [...hole, [0.28, 0.35]]);
  await expect.poll(async () => (await stored())[0]?.points.length).toBe((before?.points.length ?? 0) + 10);
  await expect.poll(types).toEqual(['polygon', 'mask', 'mask']);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await stored())[0]).toEqual(before);
});

it('by keys alone: the arrows lead the line, and what is selected stays where it is', async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await clickPlaces(page, [[0.22, 0.25]]);
  const shapes = await stored();
  const points = shapes.find(({ type }) => type === 'polygon')?.points ?? [];
  const [left, right] = [0, 1].map((at) => (at === 0 ? Math.min : Math.max)(...points.filter((_, i) => i % 2 === 0)));
  const top = Math.min(...points.filter((_, i) => i % 2 === 1));
  const meta = await page.request.get(`/api/jobs/${jobOf(workbench)}/data/meta`);
  const [frame] = ((await meta.json()) as { frames: { width: number; height: number }[] }).frames;
  const press = async (key: string, count: number) => {
    for (let done = 0; done < count; done += 1) await page.keyboard.press(key);
  };
  await page.keyboard.press('Alt+j');
  // The cursor begins in the middle of what is seen: from there to above the polygon, then straight down through it.
  await page.keyboard.press('Enter');
  await press('Shift+ArrowLeft', Math.round((frame!.width / 2 - left! - (right! - left!) * 0.1) / 10));
  await press('Shift+ArrowUp', Math.ceil((frame!.height / 2 - top) / 10) + 1);
  await page.keyboard.press('Enter');
  await press('Shift+ArrowDown', Math.ceil(frame!.height / 10));
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
  await expect.poll(async () => (await stored()).length).toBe(shapes.length + 1);
});
