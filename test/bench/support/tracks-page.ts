/** Tools inside the page of a job. They send the events that a user's hands cause. */
export interface TrackTools {
  until(frame: number): Promise<void>;
  goTo(frame: number): Promise<void>;
  /** Steps forward `count` frames; milliseconds until each is painted. */
  steps(count: number): Promise<number[]>;
  /** Moves the selected track here, and waits for paint and save; milliseconds. */
  edit(): Promise<{ readonly painted: number; readonly saved: number }>;
  /** Milliseconds between two paints while the gesture runs before each of them. */
  gaps(gesture: 'rest' | 'scroll' | 'zoom' | 'scrub', count: number): Promise<number[]>;
}

declare global {
  interface Window {
    trackTools: TrackTools;
  }
}

/** Adds the tools to the page. The function runs there, so it cannot use anything of this file. */
export function trackTools(): void {
  const paint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const part = (id: string): HTMLElement => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)!;
  const shown = (): number =>
    Number(
      document.querySelector<HTMLElement>('[data-testid="frame-shown"]:not([data-picture="loading"])')?.dataset[
        'frame'
      ] ?? -1,
    );
  const key = (code: string): void => void window.dispatchEvent(new KeyboardEvent('keydown', { code, key: code }));
  const until = async (frame: number): Promise<void> => {
    while (shown() !== frame) await paint();
    await paint();
  };
  const press = (target: Element, type: string, clientX: number, clientY: number): void =>
    void target.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, buttons: 1, button: 0, clientX, clientY }),
    );
  const doings: Record<string, (turn: number, count: number) => void> = {
    rest: () => undefined,
    scroll: (turn, count) =>
      (part('timeline-rows').closest('[role="group"]')!.scrollTop += turn < count / 2 ? 60 : -40),
    zoom: (turn, count) => {
      const rows = part('timeline-rows');
      const { left, width, top } = rows.getBoundingClientRect();
      const given = {
        ctrlKey: true,
        deltaY: turn < count / 2 ? -100 : 100,
        clientX: left + width / 3,
        clientY: top + 20,
      };
      rows.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...given }));
    },
    scrub: (turn, count) => {
      const ruler = part('timeline-ruler');
      // Synthetic events have no pointer to capture.
      ruler.setPointerCapture = () => undefined;
      const { left, width, top } = ruler.getBoundingClientRect();
      press(ruler, turn === 0 ? 'pointerdown' : 'pointermove', left + (width * (turn + 1)) / (count + 1), top + 10);
    },
  };
  window.trackTools = {
    until,
    async goTo(frame) {
      const input = document.querySelector<HTMLInputElement>('input[aria-label="Frame number"]')!;
      input.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, String(frame));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await paint();
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }));
      await until(frame);
    },
    async steps(count) {
      const took: number[] = [];
      for (let turn = 0; turn < count; turn += 1) {
        const [frame, since] = [shown() + 1, performance.now()];
        key('KeyF');
        await until(frame);
        took.push(performance.now() - since);
      }
      return took;
    },
    async edit() {
      const since = performance.now();
      key('ArrowRight');
      await paint();
      await paint();
      const painted = performance.now() - since;
      while (part('save-state').dataset['state'] !== 'saved') await paint();
      return { painted, saved: performance.now() - since };
    },
    async gaps(gesture, count) {
      const found: number[] = [];
      await paint();
      for (let turn = 0; turn < count; turn += 1) {
        const since = performance.now();
        doings[gesture]!(turn, count);
        await paint();
        found.push(performance.now() - since);
      }
      return found;
    },
  };
}
