import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { rectangleMethods, scissorsChoices } from '../../../canvas/tool-kinds.ts';
import type { Appearance, ToolId, ToolOptions } from '../../../canvas/types.ts';
import { keep } from './saved-switches.ts';

interface KeptOption {
  readonly tool: ToolId;
  readonly key: string;
  readonly read: (stored: string) => ToolOptions;
  readonly write: (options: ToolOptions) => string | number | undefined;
}

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max;

const keptOptions: readonly KeptOption[] = [
  ...(['rectangle', 'ellipse'] as const).map((tool): KeptOption => ({
    tool,
    key: `limner.${tool}Method`,
    read: (stored) => {
      const rectangleMethod = rectangleMethods.find((method) => method === stored);
      return rectangleMethod === undefined ? {} : { rectangleMethod };
    },
    write: ({ rectangleMethod }) => rectangleMethod,
  })),
  ...(['anchorDistance', 'wireTolerance'] as const).map((name): KeptOption => ({
    tool: 'scissors',
    key: `limner.${name}`,
    read: (stored) => (isWithin(Number(stored), scissorsChoices[name]) ? { [name]: Number(stored) } : {}),
    write: (options) => options[name],
  })),
];

/** Saves the last options of each tool for the next job. Returns a function that stops it. */
export function saveToolOptions(engine: CanvasEngine): () => void {
  const before = engine.getTool().id;
  for (const { tool, key, read } of keptOptions) {
    const stored = globalThis.localStorage?.getItem(key) ?? null;
    if (stored !== null) engine.setTool(tool, read(stored));
  }
  engine.setTool(before);
  return engine.on('toolChange', (changed, options) => {
    for (const { tool, key, write } of keptOptions) {
      const value = tool === changed ? write(options) : undefined;
      if (value !== undefined) keep(key, String(value));
    }
  });
}

const appearanceKey = 'limner.appearance';
/** The style of shapes is a user setting; image adjustments belong to the open images. */
const displaySettings = [
  'opacity',
  'selectedOpacity',
  'colorBy',
  'palette',
  'halo',
  'texts',
  'minimap',
  'showLabels',
  'pointNames',
  'trackPath',
  'crosshair',
  'snapping',
  'wheelScrolls',
  'smoothImage',
  'grid',
] as const;

const readAppearance = (): Partial<Appearance> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(appearanceKey) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

export function saveAppearance(engine: CanvasEngine): () => void {
  const stored = readAppearance();
  const before = engine.getAppearance();
  engine.setAppearance(Object.fromEntries(displaySettings.map((name) => [name, stored[name] ?? before[name]])));
  return engine.on('appearance', (now) =>
    keep(appearanceKey, JSON.stringify(Object.fromEntries(displaySettings.map((name) => [name, now[name]])))),
  );
}
