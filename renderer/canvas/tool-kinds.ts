import type { ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { Shortcut } from './shortcuts.ts';

interface ToolKind {
  readonly keys: readonly Shortcut[];
  /** Type of the created shape. Such tools show the crosshair, and "draw again" repeats the last one. */
  readonly draws?: ShapeType;
  /** Draws a line to cut with, which is not saved. */
  readonly cuts?: true;
  /** False if neither screens nor the action table offer it. */
  readonly offered?: false;
}

/** All tools in display order. Their names are `actions.tool.<id>`. */
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

/**
 * Input of a rectangle or an ellipse: two corners, the extreme points of the object, or an edge of the rectangle or an
 * axis of the ellipse and the width.
 */
export const rectangleMethods = ['corners', 'extreme', 'rotated'] as const;
export type RectangleMethod = (typeof rectangleMethods)[number];

/** Options of the scissors, with the default `usual`. */
export const scissorsChoices = {
  anchorDistance: { min: 0, max: 250, step: 10, usual: 160 },
  wireTolerance: { min: 0.5, max: 8, step: 0.5, usual: 1 },
} as const;

export const toolKinds: Readonly<Record<ToolId, ToolKind>> = kinds;

export const toolIds = Object.keys(kinds) as ToolId[];

export const isPaintTool = (id: ToolId): boolean => toolKinds[id].draws === 'mask';
export const hasRectangleMethods = (id: ToolId): boolean => id === 'rectangle' || id === 'ellipse';
export const isDrawTool = (id: ToolId): boolean => toolKinds[id].draws !== undefined;
export const isCutTool = (id: ToolId): boolean => toolKinds[id].cuts === true;
export const setsPoints = (id: ToolId): boolean => isDrawTool(id) || isCutTool(id);
/** The selected shape keeps its handles, so that a new shape can be adjusted. */
export const showsHandles = (id: ToolId): boolean => isDrawTool(id) && !isPaintTool(id);
export const isOffered = (id: ToolId): boolean => toolKinds[id].offered !== false;
