import type { CanvasEngine } from '../../canvas/canvas-engine.ts';
import type { Appearance } from '../../canvas/types.ts';

const key = 'limner.appearance';
/** How shapes look is the person's; how a picture is adjusted belongs to the pictures at hand. */
const kept = [
  'opacity',
  'selectedOpacity',
  'colorBy',
  'palette',
  'halo',
  'texts',
  'minimap',
  'showLabels',
  'trackPath',
  'crosshair',
  'snapping',
  'smoothImage',
  'grid',
] as const;

const read = (): Partial<Appearance> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

/** Applies what was chosen last time, and keeps what is chosen from now on. */
export function keepAppearance(engine: CanvasEngine): () => void {
  const stored = read();
  const before = engine.getAppearance();
  engine.setAppearance(Object.fromEntries(kept.map((name) => [name, stored[name] ?? before[name]])));
  return engine.on('appearance', (now) => {
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept.map((name) => [name, now[name]]))));
    } catch {
      // A full store costs the choice, nothing else.
    }
  });
}
