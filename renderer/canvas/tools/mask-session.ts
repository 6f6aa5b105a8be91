import { emptyBox, uniteBoxes } from '../geometry/box.ts';
import { createMaskPainting, type BrushTip, type PaintPatch } from '../geometry/mask-painting.ts';
import type { Box, Point, RecordChange, ShapeRecord } from '../types.ts';
import type { ToolHost } from './tool-host.ts';

export interface MaskChange extends RecordChange {
  readonly after: ShapeRecord | null;
}

/** A mask being painted: a selected or a new one. `owner` is the tool whose label a new one gets. */
export function createMaskSession(owner: ToolHost, edited: ShapeRecord | null) {
  const painting = createMaskPainting(owner.imageSize());
  const done: PaintPatch[] = [];
  const undone: PaintPatch[] = [];
  let dirty: Box = edited === null ? emptyBox : painting.load(edited.points);

  const mark = (box: Box): void => {
    dirty = uniteBoxes(dirty, box);
  };
  const step = (from: PaintPatch[], to: PaintPatch[], which: 'before' | 'after'): boolean => {
    const patch = from.pop();
    if (patch === undefined) return false;
    to.push(patch);
    mark(painting.restore(patch, which));
    return true;
  };

  const endStroke = (): void => {
    const patch = painting.endStroke();
    if (patch === null) return;
    done.push(patch);
    undone.length = 0;
  };
  const whole = (paint: () => Box): void => {
    painting.beginStroke();
    mark(paint());
    endStroke();
  };

  return {
    edited,
    beginStroke: painting.beginStroke,
    segment: (from: Point, to: Point, tip: BrushTip, value: 0 | 1) => mark(painting.segment(from, to, tip, value)),
    polygon: (points: readonly number[], value: 0 | 1) => whole(() => painting.polygon(points, value)),
    resume: (points: readonly number[]) =>
      whole(() => {
        const cleared = painting.clear();
        return uniteBoxes(cleared, painting.load(points));
      }),
    /** Mask points; null if no pixel is set. */
    points: painting.toPoints,
    fillHoles: () => whole(painting.fillHoles),
    endStroke,
    takeBack: () => step(done, undone, 'before'),
    setAgain: () => step(undone, done, 'after'),
    /**
     * The change of finishing; null if there is none. 'refused' if a new mask cannot be created and the user was
     * notified.
     */
    change(): MaskChange | null | 'refused' {
      const points = painting.toPoints();
      if (done.length === 0) return null;
      if (edited !== null) {
        return { clientId: edited.clientId, before: edited, after: points === null ? null : { ...edited, points } };
      }
      if (points === null) return null;
      const shape = owner.newShape('mask', { points });
      return shape === null ? 'refused' : { clientId: shape.clientId, before: null, after: shape };
    },
    view: () => ({
      painting,
      labelId: edited?.labelId ?? owner.options().labelId ?? -1,
      dirty: () => dirty,
      taken: () => void (dirty = emptyBox),
    }),
  };
}

export type MaskSession = ReturnType<typeof createMaskSession>;

/** The mask to paint on, if exactly one is selected. */
export function selectedMask(host: ToolHost): ShapeRecord | null {
  const [only, ...others] = host.selection.ids();
  const shape = only === undefined || others.length > 0 ? undefined : host.scene.getShape(only);
  return shape?.type === 'mask' && !shape.locked && !shape.hidden ? shape : null;
}
