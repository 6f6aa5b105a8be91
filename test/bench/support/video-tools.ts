import type { Page } from 'playwright-core';

/** Frames that were shown while a key was held, the longest time without a new one, and the time to the last one. */
export interface Held {
  readonly pictures: number;
  readonly gap: number;
  readonly end: number;
}

/** Tools inside the page of a job. They send the events that a user's keys cause. */
export function jobTools(): void {
  const mark = (): HTMLElement | null =>
    document.querySelector('[data-testid="frame-shown"]:not([data-picture="loading"])');
  const repaint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  /** Waits for a change of the page. Polling at each repaint would cost the page time. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const seen = new MutationObserver(() => {
        seen.disconnect();
        resolve();
      });
      seen.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-frame', 'data-picture'] });
    });
  const key = (code: string): void => void window.dispatchEvent(new KeyboardEvent('keydown', { code, key: code }));
  const tapSpace = (): void => {
    for (const type of ['keydown', 'keyup']) window.dispatchEvent(new KeyboardEvent(type, { code: 'Space', key: ' ' }));
  };
  const tools = {
    shown: () => Number(mark()?.dataset['frame'] ?? -1),
    /** Milliseconds until the repaint that shows the frame, comparable with the callback of a `<video>`. */
    async until(frame: number, since: number): Promise<number> {
      while (tools.shown() !== frame) await change();
      const took = performance.now() - since;
      await repaint();
      return took;
    },
    async goTo(frame: number): Promise<number> {
      const input = document.querySelector<HTMLInputElement>('input[aria-label="Frame number"]')!;
      input.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, String(frame));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await repaint();
      const since = performance.now();
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }));
      const took = await tools.until(frame, since);
      input.blur();
      return took;
    },
    async step(by: 1 | -1): Promise<number> {
      const frame = tools.shown() + by;
      const since = performance.now();
      key(by > 0 ? 'KeyF' : 'KeyD');
      return tools.until(frame, since);
    },
    /** Holds a key for some frames at a keyboard's repeat rate. */
    async hold(code: string, presses: number): Promise<Held> {
      const seen: { frame: number; at: number }[] = [{ frame: tools.shown(), at: performance.now() }];
      const over = new AbortController();
      const watch = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const frame = tools.shown();
          if (frame >= 0 && frame !== seen.at(-1)?.frame) seen.push({ frame, at: performance.now() });
          await repaint();
        }
      };
      const watched = watch();
      const last = tools.shown() + (code === 'KeyF' ? presses : -presses);
      for (let press = 0; press < presses; press += 1) {
        key(code);
        await new Promise((resolve) => setTimeout(resolve, 33));
      }
      const end = await tools.until(last, performance.now());
      over.abort();
      await watched;
      const gaps = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? at));
      return { pictures: seen.length - 1, gap: Math.max(...gaps), end };
    },
    /** Plays, and counts the frames that were on screen. */
    async play(seconds: number): Promise<number> {
      const frames = new Set<number>();
      const first = tools.shown();
      tapSpace();
      const until = performance.now() + seconds * 1000;
      while (performance.now() < until) {
        await repaint();
        frames.add(tools.shown());
      }
      tapSpace();
      for (const still of [first, -1]) frames.delete(still);
      return frames.size;
    },
  };
  Object.assign(window, { tools });
}

/** Tools inside an empty page: the same file in a `<video>` element, as large as the canvas of a job. */
export function anchorTools(): void {
  const video = document.createElement('video');
  const tools = {
    async open(path: string): Promise<void> {
      Object.assign(video, { src: path, muted: true, preload: 'auto' });
      Object.assign(video.style, { position: 'fixed', inset: '0', width: '960px' });
      document.body.append(video);
      await new Promise((resolve) => video.addEventListener('canplaythrough', resolve, { once: true }));
    },
    async seek(seconds: number): Promise<number> {
      const since = performance.now();
      const done = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      video.currentTime = seconds;
      await done;
      return performance.now() - since;
    },
    /** Plays, and counts the frames that were not dropped. */
    async play(seconds: number): Promise<number> {
      const shown = (): number => {
        const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
        return totalVideoFrames - droppedVideoFrames;
      };
      const before = shown();
      await video.play();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      video.pause();
      return shown() - before;
    },
  };
  Object.assign(window, { tools });
}

type Tools = Record<string, (...given: readonly unknown[]) => Promise<never>>;
export const inPage = <Result>(page: Page, name: string, ...given: readonly unknown[]): Promise<Result> =>
  page.evaluate(
    ([tool, values]) => (window as unknown as { tools: Tools }).tools[tool]!(...values) as Promise<Result>,
    [name, given] as const,
  );
