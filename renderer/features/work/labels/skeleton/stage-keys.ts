import { freePlace, moved, toggled, withPoint, without, type Template } from './template.ts';

export interface StageState {
  readonly template: Template;
  readonly chosen: string | null;
  readonly joining: string | null;
}

export interface StageKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function next({ points }: Template, chosen: string | null, by: -1 | 1): string | null {
  const at = points.findIndex(({ key }) => key === chosen);
  const place = at < 0 ? (by > 0 ? 0 : points.length - 1) : (at + by + points.length) % points.length;
  return points[place]?.key ?? null;
}

/** Effect of a key on the template and the selection; null if the stage does not handle it. */
export function pressKey(state: StageState, { key, shiftKey, altKey }: StageKey, isFixed: boolean): StageState | null {
  const { template, chosen, joining } = state;
  const point = template.points.find((one) => one.key === chosen);
  const arrow = arrows[key];
  if (arrow !== undefined) {
    if (point === undefined) return { ...state, chosen: next(template, chosen, 1) };
    const step = shiftKey ? 5 : altKey ? 0.2 : 1;
    const at = { x: point.x + arrow[0] * step, y: point.y + arrow[1] * step };
    return { ...state, template: moved(template, point.key, at) };
  }
  switch (key) {
    case 'PageUp':
      return { ...state, chosen: next(template, chosen, -1) };
    case 'PageDown':
      return { ...state, chosen: next(template, chosen, 1) };
    case 'Enter': {
      if (isFixed) return state;
      const added = withPoint(template, freePlace(template, point));
      return { ...state, template: added.template, chosen: added.key };
    }
    case 'Delete':
    case 'Backspace': {
      if (isFixed || point === undefined) return state;
      const left = without(template, point.key);
      const follower = left.points.length === 0 ? null : next(template, point.key, -1);
      return { template: left, chosen: follower, joining: joining === point.key ? null : joining };
    }
    case 'j':
    case 'J':
      if (point === undefined) return state;
      if (joining === null || joining === point.key) return { ...state, joining: joining === null ? point.key : null };
      return { ...state, template: toggled(template, joining, point.key), joining: null };
    case 'Escape':
      if (joining !== null) return { ...state, joining: null };
      return chosen === null ? null : { ...state, chosen: null };
    default:
      return null;
  }
}
