import type { ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { Shortcut } from './shortcuts.ts';

interface ToolKind {
  readonly keys: readonly Shortcut[];
  /** What it leaves on the image: the crosshair goes with it, and "draw again" takes the last such tool. */
  readonly draws?: ShapeType;
  /** It draws a line to cut with, and leaves nothing of it. */
  readonly cuts?: true;
  /** False: no screen has a button for it; nor has the table of actions. */
  readonly offered?: false;
}

/** Every tool, in the order in which tools are listed. Its name is `actions.tool.<id>`. */
const kinds = {
  select: { keys: ['KeyS'] },
  pan: { keys: ['KeyH'] },
  zoom: { keys: ['KeyZ'] },
  rectangle: { keys: ['KeyW'], draws: 'rectangle' },
  polygon: { keys: ['Shift+KeyP'], draws: 'polygon' },
  scissors: { keys: ['Shift+KeyS'], draws: 'polygon' },
  polyline: { keys: ['Shift+KeyL'], draws: 'polyline' },
  points: { keys: ['Shift+KeyO'], draws: 'points' },
  ellipse: { keys: ['Shift+KeyE'], draws: 'ellipse' },
  cuboid: { keys: ['Shift+KeyC'], draws: 'cuboid' },
  skeleton: { keys: ['Shift+KeyK'], draws: 'skeleton' },
  brush: { keys: ['Shift+Digit1'], draws: 'mask' },
  eraser: { keys: ['Shift+Digit2'], draws: 'mask' },
  maskPlus: { keys: ['Shift+Digit3'], draws: 'mask' },
  maskMinus: { keys: ['Shift+Digit4'], draws: 'mask' },
  slice: { keys: ['Alt+KeyJ'], cuts: true },
  hole: { keys: ['Alt+KeyH'], cuts: true },
  prompt: { keys: ['Shift+KeyI'], offered: false },
} as const satisfies Record<string, ToolKind>;

export type ToolId = keyof typeof kinds;

/** What a rectangle is drawn from: two corners, the extreme points of what it is around, or an edge and its width. */
export const rectangleMethods = ['corners', 'extreme', 'rotated'] as const;
export type RectangleMethod = (typeof rectangleMethods)[number];

/** What can be chosen of the scissors' options; `usual` where nothing was. */
export const scissorsChoices = {
  anchorDistance: { min: 0, max: 250, step: 10, usual: 160 },
  wireTolerance: { min: 0.5, max: 8, step: 0.5, usual: 1 },
} as const;

export const toolKinds: Readonly<Record<ToolId, ToolKind>> = kinds;

// The table's keys are the tools.
export const toolIds = Object.keys(kinds) as ToolId[];

/** Works on the mask that is being painted. */
export const isPaintTool = (id: ToolId): boolean => toolKinds[id].draws === 'mask';
export const isDrawTool = (id: ToolId): boolean => toolKinds[id].draws !== undefined;
export const isCutTool = (id: ToolId): boolean => toolKinds[id].cuts === true;
/** It sets points, by the pointer or by the cursor that the arrow keys lead. */
export const setsPoints = (id: ToolId): boolean => isDrawTool(id) || isCutTool(id);
/** The selected shape has its handles with it: what was just drawn can be pulled into place. */
export const showsHandles = (id: ToolId): boolean => isDrawTool(id) && !isPaintTool(id);
export const isOffered = (id: ToolId): boolean => toolKinds[id].offered !== false;
