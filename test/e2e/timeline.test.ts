import { beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { openStreet, streetFrames } from './support/timeline-screen.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page } = workbench;
const street = await openStreet(workbench);
const { service, task, job } = street;
await street.open();

describe('the timeline', () => {
  it('has a row for each track, and a click there selects it on the canvas and in the list', async () => {
    await expect.poll(() => page.getByTestId('timeline-name').allTextContents()).toEqual(['1car', '2car', '3dog']);
    const at = await street.placeOf(45, 2);
    await page.mouse.click(at.x, at.y);
    await page.locator('[data-testid="timeline-name"][data-selected]').getByText('dog').waitFor();
    await page.keyboard.press('r');
    await street.onFrame(20);
    await page.locator('[data-testid="object"][data-selected]').getByText('dog').first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('moves a keyframe by a drag, copies it with Alt, sets one by a double click; each can be undone', async () => {
    await street.drag(await street.placeOf(30, 0), await street.placeOf(36, 0));
    await expect.poll(async () => (await street.keyframes())[0]).toEqual([0, 36, 60, 80]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await street.keyframes())[0]).toEqual([0, 30, 60, 80]);
    await page.keyboard.down('Alt');
    await street.drag(await street.placeOf(20, 2), await street.placeOf(50, 2));
    await page.keyboard.up('Alt');
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 50, 70]);
    const at = await street.placeOf(25, 1);
    await page.mouse.dblclick(at.x, at.y);
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 25, 40, 55, 90]);
    // A click on a keyframe opens its frame, where the shortcut removes it.
    const keyframe = await street.placeOf(25, 1);
    await page.mouse.click(keyframe.x, keyframe.y);
    await street.onFrame(25);
    await page.keyboard.press('k');
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 40, 55, 90]);
  });

  const menuOf = async (frame: number, row: number): Promise<void> => {
    const at = await street.placeOf(frame, row);
    await page.mouse.click(at.x, at.y, { button: 'right' });
  };
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });

  it('has a menu on keyframes: open, outside, copy, delete; each can be undone', async () => {
    await menuOf(70, 2);
    await page.getByText('Keyframe 70').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await item('Go to this frame').click();
    await street.onFrame(70);
    await menuOf(50, 2);
    await item('Copy to frame 70').click();
    await menuOf(50, 2);
    await item('Copy to…').click();
    await page.getByRole('textbox', { name: 'To frame' }).fill('60');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 50, 60, 70]);
    await menuOf(60, 2);
    await item('Delete keyframe').click();
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 50, 70]);
    const seen = async () => {
      await street.keyframes();
      const { tracks } = await service.annotations('jobs', job);
      return tracks[2]?.shapes.map(({ outside }) => outside);
    };
    await menuOf(50, 2);
    await item('Outside from here').click();
    await expect.poll(seen).toEqual([false, true, false]);
    await menuOf(50, 2);
    await item('Visible from here').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await expect.poll(seen).toEqual([false, false, false]);
    await menuOf(30, 2);
    await item('Set keyframe here').click();
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 30, 50, 70]);
  });

  it('deletes the clicked keyframe by the Delete key, and the track if none was', async () => {
    const at = await street.placeOf(30, 2);
    await page.mouse.click(at.x, at.y);
    await street.onFrame(30);
    await page.keyboard.press('Delete');
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 50, 70]);
    await page.keyboard.press('Delete');
    await expect.poll(async () => (await street.keyframes()).length).toBe(2);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await street.keyframes())[2]).toEqual([20, 50, 70]);
    await page.mouse.click(at.x, (await street.placeOf(0, 0)).y);
    await street.onFrame(30);
  });

  it('moves the ends of a track by a drag of its bar, and refuses to leave nothing of it', async () => {
    const edge = async (frame: number, row: number, by: -0.5 | 0.5) => {
      const width = (await street.placeOf(1, row)).x - (await street.placeOf(0, row)).x;
      const { x, y } = await street.placeOf(frame, row);
      return { x: x + by * width, y };
    };
    // The last keyframe makes the track end with frame 89.
    await street.drag(await edge(89, 1, 0.5), await edge(95, 1, 0.5));
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 40, 55, 96]);
    await street.drag(await edge(95, 1, 0.5), await edge(20, 1, 0.5));
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 21]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 40, 55, 90]);
    await street.drag(await edge(10, 1, -0.5), await edge(4, 1, -0.5));
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([4, 40, 55, 90]);
    await street.drag(await edge(4, 1, -0.5), await edge(30, 1, -0.5));
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([30, 40, 55, 90]);
    await street.drag(await edge(30, 1, -0.5), await edge(95, 1, -0.5));
    await page.getByText('No visible part of the track would be left. Delete the track instead.').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await street.keyframes())[1]).toEqual([10, 40, 55, 90]);
  });

  it('is resized by the keys of its upper edge, and remembers its height', async () => {
    const grip = page.getByRole('separator', { name: 'Timeline height' });
    const before = (await page.getByTestId('timeline').boundingBox())!.height;
    await grip.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await page.getByTestId('timeline').boundingBox())!.height).toBe(before + 48);
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe(String(before + 48));
    await page.keyboard.press('ArrowDown');
    await page.reload();
    await page.getByTestId('timeline').waitFor();
    await expect.poll(async () => (await page.getByTestId('timeline').boundingBox())!.height).toBe(before + 24);
  });

  it('scrubs through the frames by a drag in the ruler, and zooms at the pointer', async () => {
    const box = (await page.getByTestId('timeline-ruler').boundingBox())!;
    const y = box.y + 10;
    await street.drag({ x: (await street.placeOf(10, 0)).x, y }, { x: (await street.placeOf(72, 0)).x, y });
    await street.onFrame(72);
    const at = await street.placeOf(70, 0);
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    // A frame is four times as wide. The position is still on frame 70, where the third track has a keyframe.
    await page.mouse.click(at.x, at.y + 48);
    await street.onFrame(70);
    await page.getByRole('button', { name: 'Entire job' }).click();
  });

  it('shows the filtered tracks, and closes and opens by its key', async () => {
    const dog = (await service.annotations('jobs', job)).tracks.at(-1)?.id;
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('dog');
    await expect.poll(() => page.getByTestId('timeline-name').allTextContents()).toEqual([`${dog}dog`]);
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('cat');
    await page.getByText('No track matches.').waitFor();
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+j');
    await page.getByTestId('timeline').waitFor({ state: 'detached' });
    const drawsAs = (what: 'Shape' | 'Track') =>
      page.getByRole('radio', { name: what, checked: true }).waitFor({ state: 'attached' });
    await drawsAs('Track');
    await page.keyboard.press('Shift+T');
    await page.reload();
    await street.onFrame(70);
    await expect.poll(() => page.getByTestId('timeline').count()).toBe(0);
    await drawsAs('Shape');
    await page.keyboard.press('Control+j');
    await page.getByTestId('timeline').waitFor();
  });
});

describe('marks of the timeline', () => {
  beforeAll(async () => {
    const open = (frame: number, resolved = false) =>
      service.good('POST', '/api/issues', { json: { frame, position: [5, 5], job, message: 'Look again.', resolved } });
    await open(64);
    await open(64);
    await open(20, true);
    await service.good('PATCH', `/api/jobs/${job}/data/meta`, { json: { deleted_frames: [40, 41, 42] } });
    await street.open();
  });

  it('are there for open and resolved issues, and open their frames', async () => {
    await page.getByRole('button', { name: '2 issues, the first on frame 64' }).click();
    await street.onFrame(64);
    // It can be clicked although it is beside the number of the current frame.
    await page.getByRole('button', { name: '2 issues, the first on frame 64' }).click();
    await page.getByRole('button', { name: 'Resolved issue on frame 20' }).focus();
    await page.keyboard.press('Enter');
    await street.onFrame(20);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are there for deleted frames, and open them', async () => {
    const ruler = (await page.getByTestId('timeline-ruler').boundingBox())!;
    const { x } = await street.placeOf(42, 0);
    // Beside the mark, closer than the size of a finger.
    await page.mouse.click(x + ruler.width / 200 + 2, ruler.y + 32);
    await street.onFrame(42);
    await page.mouse.click(x + ruler.width / 200 + 2, ruler.y + 5);
    await street.onFrame(43);
  });

  it('say if issues could not be loaded, and appear after a retry', async () => {
    await page.route('**/api/issues?*', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }));
    await page.reload();
    const again = page.getByRole('button', { name: 'Cannot load the issues. Try again' });
    await again.waitFor();
    await expect.poll(() => page.getByTestId('issue-mark').count()).toBe(0);
    await page.unroute('**/api/issues?*');
    await again.click();
    await expect.poll(() => page.getByTestId('issue-mark').count()).toBe(2);
    await again.waitFor({ state: 'detached' });
  });
});

describe('a timeline of 10,000 tracks', () => {
  const count = 10_000;
  let firstId = 0;
  beforeAll(async () => {
    const [label] = await service.labels(task);
    const tracks = Array.from({ length: count }, (_, index) => {
      const frame = index % streetFrames;
      const points = [index % 300, 10, (index % 300) + 10, 20];
      const shape = { type: 'rectangle' as const, points };
      const shapes = [
        { ...shape, frame },
        { ...shape, frame: frame + 1, outside: true },
      ].filter((one) => one.frame < streetFrames);
      return { label_id: label!.id, frame, shapes };
    });
    await service.replaceAnnotations('jobs', job, { tracks });
    firstId = (await service.annotations('jobs', job)).tracks[0]?.id ?? 0;
    await street.open();
  });
  const names = () => page.getByTestId('timeline-name');

  it('renders only the visible rows at every scroll position', async () => {
    await names().first().waitFor();
    await expect.poll(() => names().first().textContent()).toBe(`${firstId}car`);
    await expect.poll(() => names().count()).toBeLessThan(20);
    await page.getByRole('group', { name: 'Tracks over time' }).evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await names()
      .getByText(String(firstId + count - 1))
      .waitFor();
    await expect.poll(() => names().count()).toBeLessThan(20);
    const canvas = (await street.rows().boundingBox())!;
    // The drawing is no higher than its container.
    expect(canvas.height).toBeLessThan(200);
  });

  it('selects, edits and finds the last like the first', async () => {
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill(String(firstId + 9950));
    await expect.poll(() => names().allTextContents()).toEqual([`${firstId + 9950}car`]);
    const at = await street.placeOf(50, 0);
    await page.mouse.click(at.x, at.y);
    await street.onFrame(50);
    await street.drag(at, await street.placeOf(48, 0));
    const first = async () => {
      await street.keyframes();
      return (await service.annotations('jobs', job)).tracks[9950]?.shapes.map(({ frame }) => frame);
    };
    await expect.poll(first).toEqual([48, 51]);
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await expect.poll(first).toEqual([50, 51]);
  });
});
