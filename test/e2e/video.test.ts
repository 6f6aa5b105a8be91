import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { sharedVideos } from './support/paths.ts';
import { dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, folder } = await useWorkbench();
const requested: string[] = [];
page.on('request', (request) => {
  if (request.url().includes('type=frame')) requested.push(request.url());
});

const count = 48;
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
/** Encodes the frame number into each frame: column b of eight is bright if bit b is set. */
function makeCounter(file: string, output: readonly string[], frames = count): void {
  const columns = "geq=lum='if(mod(floor(N/pow(2,floor(X*8/W))),2),235,16)':cb=128:cr=128";
  const source = ['-f', 'lavfi', '-i', `color=black:size=320x240:rate=30,${columns}`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-frames:v', String(frames), ...output, file]);
}

/** Numbers of all frames, decoded by ffmpeg: one gray pixel from the centre of each column. */
function decodedNumbers(file: string): number[] {
  const filter = ['-vf', 'crop=iw:2:0:ih/2,scale=8:1:flags=area,format=gray', '-fps_mode', 'passthrough'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', file, ...filter, '-f', 'rawvideo', 'pipe:1']);
  return Array.from({ length: bytes.length / 8 }, (_, frame) =>
    [...bytes.subarray(frame * 8, frame * 8 + 8)].reduce((sum, gray, bit) => sum + (gray > 128 ? 1 << bit : 0), 0),
  );
}

/** Number in the image on the canvas, once that frame is on screen. */
const numberAt = (frame: number): Promise<number> =>
  page.evaluate(async (wanted) => {
    const mark = `[data-testid="frame-shown"][data-frame="${wanted}"]:not([data-picture="loading"])`;
    while (document.querySelector(mark) === null) await new Promise(requestAnimationFrame);
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-layer="image"]');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) throw new Error('There is no picture.');
    const bits = [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
      const x = Math.floor(((bit + 0.5) * canvas.width) / 8);
      return (context.getImageData(x, Math.floor(canvas.height / 2), 1, 1).data[0] ?? 0) > 128 ? 1 << bit : 0;
    });
    return bits.reduce((sum, bit) => sum + bit, 0);
  }, frame);

async function goTo(frame: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Frame number' }).fill(String(frame));
  await page.keyboard.press('Enter');
}

describe('frames of a video in the window', () => {
  async function openVideo(file: string, frames = count): Promise<void> {
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await dropFiles(page, [file]);
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    await waitFrame(page, 0, frames);
    requested.length = 0;
  }

  async function numbersForward(frames: number): Promise<number[]> {
    const shown = [await numberAt(0)];
    for (let frame = 1; frame < frames; frame += 1) {
      await page.keyboard.press('f');
      shown.push(await numberAt(frame));
    }
    return shown;
  }

  async function numbersBackward(first: number, last: number): Promise<number[]> {
    const shown: number[] = [];
    for (let frame = first; frame >= last; frame -= 1) {
      await page.keyboard.press('d');
      shown.push(await numberAt(frame));
    }
    return shown;
  }

  it('have the right number if a group of frames refers to another one', async () => {
    const file = join(folder, 'open-group.mkv');
    makeCounter(file, [...h264, '-x264-params', 'open-gop=1:keyint=12:bframes=3']);
    const every = Array.from({ length: count }, (_, frame) => frame);
    await openVideo(file);
    expect(await numbersForward(count)).toEqual(every);
    expect(await numbersBackward(count - 2, 0)).toEqual(every.slice(0, -1).toReversed());
    for (const frame of [47, 3, 31, 24, 23, 46, 12, 0]) {
      await goTo(frame);
      expect(await numberAt(frame), `${frame}`).toBe(frame);
    }
    // The window decoded all frames without requesting any.
    expect(requested).toEqual([]);
  });

  it('are played by Space at their speed, and pause at the displayed frame number', async () => {
    const file = join(folder, 'played.mp4');
    makeCounter(file, [...h264, '-bf', '3', '-g', '24']);
    await openVideo(file);
    const shownFrame = async () => Number(await page.getByTestId('frame-shown').getAttribute('data-frame'));
    await page.mouse.move(500, 400);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(shownFrame).toBeGreaterThan(5);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const stopped = await shownFrame();
    expect(await numberAt(stopped)).toBe(stopped);
    await page.keyboard.down('Space');
    await page.mouse.down();
    await page.mouse.move(520, 420);
    await page.mouse.up();
    await page.keyboard.up('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(1);
    // To the end, then from the beginning again.
    await page.keyboard.press('Space');
    await waitFrame(page, count - 1, count);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    expect(await numberAt(count - 1)).toBe(count - 1);
    await expect.poll(() => page.getByTestId('frame-time').textContent()).toBe('00:01.5 / 00:01.5');
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  // H.264 with B-frames, VP9, and a variable frame rate. The columns, decoded by ffmpeg, identify each frame.
  const counters = ['counter.mp4', 'counter.webm', 'counter-vfr.mp4'];
  const isBare = !existsSync(sharedVideos) && !process.env['CI'];
  it.skipIf(isBare).each(counters)('%s: every frame shows its number', async (name) => {
    const file = join(sharedVideos, name);
    const numbers = decodedNumbers(file);
    const total = numbers.length;
    await openVideo(file, total);
    expect(await numbersForward(total)).toEqual(numbers);
    expect(await numbersBackward(total - 2, total - 65)).toEqual(numbers.slice(-65, -1).toReversed());
    // Jumps through the file. Four rounds would reach every frame once.
    for (let step = 1; step <= total / 4; step += 1) {
      const frame = (step * 89) % total;
      await goTo(frame);
      expect(await numberAt(frame), `${frame}`).toBe(numbers[frame]);
    }
    expect(requested).toEqual([]);
  });

  // Timestamps that do not increase, as some muxers write, and closer than a container's usual unit, as in slow motion.
  const ticks = ['-enc_time_base', '1/90000', '-video_track_timescale', '90000', '-fps_mode', 'passthrough'];
  const shownAt = (units: string): string[] => ['-vf', `settb=1/90000,setpts='${units}'`, ...ticks];
  it.each([
    ['twins.mp4', shownAt('floor(N/2)*3000+mod(N,2)')],
    ['fps2000.mp4', shownAt('N*45')],
    ['fps5000.mov', shownAt('N*18')],
  ])('%s: every frame shows its number, at any distance', async (name, times) => {
    const file = join(folder, name);
    makeCounter(file, [...times, ...h264, '-bf', '3', '-g', '24']);
    const every = Array.from({ length: count }, (_, frame) => frame);
    expect(decodedNumbers(file)).toEqual(every);
    await openVideo(file);
    expect(await numbersForward(count)).toEqual(every);
    expect(await numbersBackward(count - 2, 0)).toEqual(every.slice(0, -1).toReversed());
    for (const frame of [47, 3, 30, 31, 12, 13, 0]) {
      await goTo(frame);
      expect(await numberAt(frame), `${frame}`).toBe(frame);
    }
    expect(requested).toEqual([]);
  });

  it("are rotated by the file's metadata", async () => {
    const [file, turned] = ['upright.mp4', 'turned.mp4'].map((name) => join(folder, name)) as [string, string];
    // The left half is bright. A quarter turn counterclockwise moves it to the bottom.
    const halves = "geq=lum='if(lt(X,W/2),235,16)':cb=128:cr=128";
    const source = ['-f', 'lavfi', '-i', `color=black:size=320x240:rate=30,${halves}`, '-frames:v', '8'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...h264, file]);
    execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-c', 'copy', '-metadata:s:v', 'rotate=90', turned]);
    const gray = ['-frames:v', '1', '-vf', 'scale=1:2:flags=area,format=gray', '-f', 'rawvideo'];
    const [top = 0, bottom = 0] = execFileSync('ffmpeg', ['-v', 'error', '-i', turned, ...gray, 'pipe:1']);
    expect(bottom - top).toBeGreaterThan(150);
    await openVideo(turned, 8);
    await page.keyboard.press('f');
    await waitFrame(page, 1, 8);
    const [width, height, above, below] = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-layer="image"]')!;
      const gray = (y: number) => canvas.getContext('2d')?.getImageData(canvas.width / 2, y, 1, 1).data[0] ?? 0;
      return [canvas.width, canvas.height, gray(canvas.height / 4), gray((canvas.height * 3) / 4)] as const;
    });
    expect([width, height, above < 60, below > 180]).toEqual([240, 320, true, true]);
    expect(requested).toEqual([]);
  });

  it('are cancelled at once when another one is requested, in both directions', async () => {
    const total = 240;
    const file = join(folder, 'one-group.mp4');
    // Large enough that a frame is still being decoded when the next one is requested.
    makeCounter(file, [...h264, '-bf', '3', '-g', '300', '-s', '1920x1080', '-preset', 'ultrafast'], total);
    await openVideo(file, total);
    const input = page.getByRole('textbox', { name: 'Frame number' });
    // After this number of repaints the decoder has just started, or is in the middle.
    for (const [givenUp, repaints, wanted] of [
      [236, 0, 121],
      [118, 2, 45],
      [234, 6, 21],
      [232, 10, 73],
      [230, 16, 33],
      [60, 1, 205],
    ] as const) {
      await input.fill(String(givenUp));
      await page.keyboard.press('Enter');
      await page.evaluate(async (times) => {
        for (let time = 0; time < times; time += 1) await new Promise(requestAnimationFrame);
      }, repaints);
      await goTo(wanted);
      expect(await numberAt(wanted), `${wanted}`).toBe(wanted);
    }
    expect(requested).toEqual([]);
  });

  it('are loaded from the service if the window has no decoder for them', async () => {
    const file = join(folder, 'mpeg4.avi');
    makeCounter(file, ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12']);
    await openVideo(file);
    for (const frame of [47, 3, 31]) {
      await goTo(frame);
      expect(await numberAt(frame), `${frame}`).toBe(frame);
    }
    expect(requested.length).toBeGreaterThan(0);
  });
});
