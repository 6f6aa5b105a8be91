import { boxOfCorners } from '../geometry/box.ts';
import { clampPoint } from '../geometry/point.ts';
import type { Point, Prompts } from '../types.ts';
import type { ToolHost } from './tool-host.ts';
import { dragThresholdPx, emptyToolView, isFarther, type PointerInput, type Tool } from './tool.ts';

const none: Prompts = { positive: [], negative: [], box: null };
/** A click within this distance removes a prompt point, screen pixels. */
const removeReachPx = 8;

/**
 * Points and a box for a model function: left click for the object, right click (or Alt+click) for the background, a
 * drag for the box. The screen handles the result; Enter saves it.
 */
export function createPromptTool(host: ToolHost): Tool {
  let current: Prompts = none;
  let earlier: Prompts[] = [];
  let later: Prompts[] = [];
  let pressed: { readonly input: PointerInput; isBox: boolean } | null = null;
  let to: Point | null = null;

  const place = (input: PointerInput): Point => clampPoint(input.image, host.imageSize());
  const show = (next: Prompts): void => {
    current = next;
    host.refresh('overlay');
    host.prompts(current, false);
  };
  const change = (next: Prompts): void => {
    if (earlier.length === 0) host.drawStarted();
    earlier = [...earlier, current];
    later = [];
    show(next);
  };
  const clear = (): boolean => {
    const was = current !== none || earlier.length > 0;
    current = none;
    earlier = [];
    later = [];
    pressed = null;
    host.refresh('overlay');
    return was;
  };
  const without = (list: readonly Point[], at: Point): readonly Point[] => {
    const reach = removeReachPx / host.view().scale;
    return list.filter((point) => Math.hypot(point.x - at.x, point.y - at.y) > reach);
  };
  const click = (at: Point, isNegative: boolean): void => {
    const positive = without(current.positive, at);
    const negative = without(current.negative, at);
    const isRemoval = positive.length < current.positive.length || negative.length < current.negative.length;
    if (isRemoval) change({ ...current, positive, negative });
    else if (isNegative) change({ ...current, negative: [...negative, at] });
    else change({ ...current, positive: [...positive, at] });
  };

  return {
    id: 'prompt',
    down(input) {
      if (input.button === 0 || input.button === 2) pressed = { input, isBox: false };
    },
    move(input) {
      if (pressed === null || pressed.input.button !== 0) return;
      if (isFarther(pressed.input.screen, input.screen, dragThresholdPx)) pressed.isBox = true;
      to = place(input);
      if (pressed.isBox) host.refresh('overlay');
    },
    up(input) {
      if (pressed === null || pressed.input.button !== input.button) return;
      const { input: begin, isBox } = pressed;
      pressed = null;
      if (isBox) change({ ...current, box: boxOfCorners(place(begin), place(input)) });
      else click(place(begin), begin.button === 2 || begin.alt);
    },
    cancel() {
      if (!clear()) return false;
      host.prompts(current, false);
      host.drawEnded('cancelled');
      return true;
    },
    finish() {
      if (current.positive.length + current.negative.length === 0 && current.box === null) return false;
      const done = current;
      clear();
      host.prompts(done, true);
      host.drawEnded('done');
      return true;
    },
    undoPoint() {
      const previous = earlier.at(-1);
      if (previous === undefined) return false;
      later = [current, ...later];
      earlier = earlier.slice(0, -1);
      show(previous);
      if (earlier.length === 0) host.drawEnded('cancelled');
      return true;
    },
    redoPoint() {
      const [next, ...rest] = later;
      if (next === undefined) return false;
      earlier = [...earlier, current];
      later = rest;
      show(next);
      return true;
    },
    drawing: () => earlier.length > 0,
    dragging: () => pressed !== null,
    cursor: () => 'crosshair',
    view() {
      const box = pressed?.isBox === true && to !== null ? boxOfCorners(place(pressed.input), to) : current.box;
      return {
        ...emptyToolView,
        prompts: { ...current, box },
        hint: 'canvas.hint.prompt',
      };
    },
  };
}
