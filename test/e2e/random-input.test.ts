import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeImages } from '../support/images.ts';
import { goToFrame, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const strikes = Number(process.env['LIMNER_RANDOM_STRIKES'] ?? 600);
const seed = Number(process.env['LIMNER_RANDOM_SEED'] ?? 20);
const count = 4;

function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const tools = ['w', 'Shift+P', 'Shift+L', 'Shift+O', 'Shift+E', 'Shift+C', 'Shift+K', 'Shift+1', 'Shift+2', 'Shift+3'];
const edits =
  's s n n Escape Enter Delete Shift+Delete q o l g Shift+G Tab ArrowUp Shift+ArrowLeft Alt+ArrowRight 1 2 3 4 Control+1 ' +
  'Control+2 Alt+t Control+a Control+c Control+x Control+v Control+d [ ] + - Backspace';
const steps = ['f', 'd', 'f', 'd', 'v', 'c', 'Alt+Delete'];
const back = ['Control+z', 'Control+z', 'Control+z', 'Control+Shift+Z', 'Control+y'];

const { page, service } = await useWorkbench();
const attributes = [
  { name: 'side', mutable: false, input_type: 'select' as const, default_value: 'left', values: ['left', 'right'] },
];
const task = await service.taskWithImages(
  {
    name: 'storm',
    labels: [
      { name: 'boat', attributes },
      { name: 'sail', type: 'polygon' },
      { name: 'sea', type: 'mask' },
      { name: 'buoy' },
    ],
  },
  await makeImages(count, { text: 'storm', width: 640, height: 480 }),
);
const job = (await service.jobs(task.id))[0]?.id ?? 0;
await page.goto(`/tasks/${task.id}/jobs/${job}`);
await waitFrame(page, 0, count);

async function strike(random: () => number): Promise<void> {
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)]!;
  const box = await page.getByTestId('canvas').boundingBox();
  const somewhere = () => ({
    x: (box?.x ?? 0) + (0.1 + 0.8 * random()) * (box?.width ?? 0),
    y: (box?.y ?? 0) + (0.1 + 0.8 * random()) * (box?.height ?? 0),
  });
  const dice = random();
  if (dice < 0.3) {
    const [from, to] = [somewhere(), somewhere()];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    if (random() < 0.1) await page.keyboard.press(pick([...edits.split(' '), ...back]));
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  } else if (dice < 0.5) {
    const at = somewhere();
    await page.mouse.click(at.x, at.y, {
      button: random() < 0.15 ? 'right' : 'left',
      clickCount: random() < 0.1 ? 2 : 1,
    });
  } else
    await page.keyboard.press(pick(dice < 0.62 ? tools : dice < 0.85 ? edits.split(' ') : dice < 0.93 ? back : steps));
}

async function shownOn(frame: number): Promise<readonly string[]> {
  await goToFrame(page, frame, count);
  await page.getByRole('button', { name: 'Menu' }).click();
  const saving = await downloadBy(page.getByRole('menuitem', { name: 'Save image with shapes as SVG' }));
  const picture = readFileSync(await saving.path(), 'utf8');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const tags = await page.getByRole('list', { name: 'Tags' }).getByRole('listitem').allTextContents();
  return [...picture.split('\n').filter((line) => line.startsWith('<g>')), ...tags].toSorted();
}
async function shown(): Promise<readonly (readonly string[])[]> {
  const views: (readonly string[])[] = [];
  for (let frame = 0; frame < count; frame += 1) views.push(await shownOn(frame));
  return views;
}

it('random input ends with the screen as the store has it', { timeout: (strikes + 180) * 1000 }, async () => {
  const random = randomFrom(seed);
  for (let struck = 0; struck < strikes; struck += 1) await strike(random);
  for (const key of ['Escape', 'Escape', 'Escape', 's']) await page.keyboard.press(key);
  await waitSaved(page);
  const before = await shown();
  await page.reload();
  await page.getByTestId('canvas').waitFor();
  expect(await shown()).toEqual(before);
  const { shapes, tracks } = await service.annotations('jobs', job);
  expect(before.flat().filter((line) => line.startsWith('<g>')).length).toBe(shapes.length);
  expect(tracks).toEqual([]);
});
