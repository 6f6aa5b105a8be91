import { added, changed, removed } from '../../../../canvas/changes.ts';
import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { unitedPolygon } from '../../../../canvas/geometry/polygon-union.ts';
import { asType, isArea, unitedMask, type AreaType } from '../../../../canvas/shapes/shape-rings.ts';
import { simplified } from '../../../../canvas/geometry/simplify-path.ts';
import { behaviourOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { CommandKind, RecordChange, ShapeRecord, Size } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { SessionParts } from '../types.ts';
import { refuseLabel } from '../labels/label-edits.ts';

interface OperationsParts extends Pick<SessionParts, 'store'> {
  readonly engine: Pick<CanvasEngine, 'scene' | 'selection' | 'execute' | 'patchScene'>;
  readonly size: () => Size;
}

type Refusal = 'tracks' | 'noArea' | 'unlike' | 'apart' | 'holes' | 'empty' | 'nothingSimpler';

const refuse = (why: Refusal): void => notify.hint('refused', text(`editing.refused.${why}`));

/**
 * Derives shapes from the selected shapes, one undo step each. Tracks and locked shapes stay unchanged, with a notice.
 */
export function createShapeOperations({ engine, store, size }: OperationsParts) {
  const { scene, selection } = engine;
  const selected = (): ShapeRecord[] => selection.ids().flatMap((id) => scene.getShape(id) ?? []);
  const plain = (): ShapeRecord[] => selected().filter((shape) => shape.trackId === undefined && !shape.locked);
  const areas = (): ShapeRecord[] => plain().filter(isArea);
  const labelOf = (shape: ShapeRecord) => store.getState().labels.find(({ id }) => id === shape.labelId);
  const made = (from: ShapeRecord, change: Partial<ShapeRecord>): ShapeRecord => {
    const { serverId: _server, ...rest } = from;
    return { ...rest, rotation: 0, ...change, clientId: crypto.randomUUID() };
  };
  const run = (kind: CommandKind, label: string, changes: readonly RecordChange[]): void => {
    engine.execute({ kind, label, frame: scene.frame, changes });
    selection.set(changes.flatMap(({ after }) => after?.clientId ?? []));
  };
  /** Changes that delete some shapes and create others. */
  const swap = (gone: readonly ShapeRecord[], fresh: readonly ShapeRecord[]): RecordChange[] => [
    ...gone.map(removed),
    ...fresh.map(added),
  ];
  const paths = (): ShapeRecord[] =>
    selected().filter((shape) => !shape.locked && behaviourOf(shape).closed !== undefined);
  /** Previews the selected paths with fewer points. */
  const simplifier = () => {
    const before = paths();
    const simpler = (tolerance: number): ShapeRecord[] =>
      before.map((shape) => ({
        ...shape,
        points: simplified(shape.points, tolerance, behaviourOf(shape).closed === true),
      }));
    const count = (shapes: readonly ShapeRecord[]): number =>
      shapes.reduce((sum, { points }) => sum + points.length / 2, 0);
    const close = (): void => engine.patchScene(before);
    return {
      of: count(before),
      left: (tolerance: number): number => count(simpler(tolerance)),
      /** Shows the preview without saving it. */
      show: (tolerance: number): void => engine.patchScene(simpler(tolerance)),
      close,
      keep(tolerance: number): void {
        close();
        const after = simpler(tolerance);
        const changes = before.map((shape, index) => changed(shape, after[index] ?? shape));
        const label = text('editing.command.simplify', { count: before.length });
        if (engine.execute({ kind: 'vertex', label, changes }) === null) refuse('nothingSimpler');
      },
    };
  };

  return {
    /** Without a type, tests all types. */
    canConvert: (type?: AreaType) => areas().some((shape) => shape.type !== type),
    canJoin: () => {
      const shapes = plain();
      const [first] = shapes;
      const isOneKind = shapes.every(({ type }) => type === first?.type);
      return shapes.length > 1 && isOneKind && (first?.type === 'polygon' || first?.type === 'mask');
    },
    canSimplify: () => paths().length > 0,
    convert(type: AreaType) {
      const shapes = areas().filter((shape) => shape.type !== type);
      if (shapes.length === 0)
        return refuse(selected().some((shape) => shape.trackId !== undefined) ? 'tracks' : 'noArea');
      const misfit = shapes.map(labelOf).find((label) => label !== undefined && !labelTakes(label.type, type));
      if (misfit !== undefined) return refuseLabel(misfit);
      const changes = shapes.flatMap((shape) => {
        const fresh = asType(shape, type, size()).map((geometry) => made(shape, { type, ...geometry }));
        return fresh.length === 0 ? [] : swap([shape], fresh);
      });
      if (changes.length === 0) return refuse('empty');
      const count = shapes.length;
      run(
        'other',
        text('editing.command.convert', { count, type: text(`annotate.shape.${type}`).toLowerCase() }),
        changes,
      );
    },
    /** Joins areas of one label to one polygon or mask, with the attributes of the one selected last. */
    join() {
      const shapes = plain();
      const last = shapes.at(-1);
      if (last === undefined || shapes.some(({ labelId }) => labelId !== last.labelId)) return refuse('unlike');
      const points = shapes.map((shape) => shape.points);
      const united = last.type === 'mask' ? { ring: unitedMask(points) ?? [] } : unitedPolygon(points);
      if ('problem' in united) return refuse(united.problem);
      const zOrder = Math.max(...shapes.map((shape) => shape.zOrder));
      const label = text('editing.command.join', { count: shapes.length });
      run('other', label, swap(shapes, [made(last, { points: united.ring, zOrder })]));
    },
    simplifier,
  };
}

export type ShapeOperations = ReturnType<typeof createShapeOperations>;
export type Simplifier = ReturnType<ShapeOperations['simplifier']>;
