import { afterEach, describe, expect, it } from 'vitest';
import { waitFrame } from './support/annotate-screen.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();
const count = 3;
const task = await service.makeTask('street', { images: count });
const [job] = await service.jobsOf(task);
await page.goto(`/tasks/${task}/jobs/${job}`);
await waitFrame(page, 0, count);

/** Aborts requests like a changing network does, and counts them. */
async function lose(isLost: (path: string) => boolean): Promise<() => number> {
  let count = 0;
  await page.route('**/*', (route) => {
    if (!isLost(new URL(route.request().url()).pathname)) return route.continue();
    count += 1;
    return route.abort('failed');
  });
  return () => count;
}

function first(times: number, isMeant: (path: string) => boolean): (path: string) => boolean {
  const lost = new Map<string, number>();
  return (path) => {
    const before = lost.get(path) ?? 0;
    if (before >= times || !isMeant(path)) return false;
    lost.set(path, before + 1);
    return true;
  };
}

const isCode = (path: string): boolean => /^\/assets\/(?!start-).*\.js$/.test(path);
const isStyle = (path: string): boolean => /^\/assets\/(?!start-).*\.css$/.test(path);
/** All requests within one second after the first code of a screen is requested. */
function aSecond(): (path: string) => boolean {
  let end = 0;
  return (path) => {
    if (end === 0 && isCode(path)) end = Date.now() + 1000;
    return Date.now() < end;
  };
}

afterEach(() => page.unrouteAll());

/** Sizes and colours at the top of the page; unstyled if a stylesheet is missing. */
const look = () =>
  page.getByTestId('canvas').evaluate((canvas) => {
    const { width, height } = canvas.getBoundingClientRect();
    const { fontFamily, backgroundColor } = getComputedStyle(document.body);
    return { width, height, fontFamily, backgroundColor, buttons: document.querySelectorAll('button').length };
  });
const whole = await look();

describe('a job opens completely though requests are lost', () => {
  it.each<[what: string, isLost: (path: string) => boolean]>([
    ['the start of the program', first(1, (path) => /^\/assets\/start-.*\.js$/.test(path))],
    ['the stylesheet of the start', first(1, (path) => /^\/assets\/start-.*\.css$/.test(path))],
    ['code of a screen', first(1, isCode)],
    ['all for a second, while the screen is fetched', aSecond()],
    ['stylesheets of a screen', first(1, isStyle)],
    ['stylesheets of a screen, again and again', first(3, isStyle)],
    ['what the service answers', first(1, (path) => path.startsWith('/api/'))],
  ])('%s', async (_what, isLost) => {
    const lost = await lose(isLost);
    await page.reload();
    await waitFrame(page, 0, count);
    expect(lost()).toBeGreaterThan(0);
    await expect.poll(look).toEqual(whole);
  });
});
