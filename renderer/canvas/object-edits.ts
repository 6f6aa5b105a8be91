import { added } from './changes.ts';
import type { Editor } from './editor.ts';
import { withoutHoles } from './geometry/mask-algebra.ts';
import { behaviourOf, movedInside, moveTogether, withGeometry } from './shapes/shape-behaviours.ts';
import type { ClientId, Command, RecordChange, SceneRecord, ShapeRecord } from './types.ts';

/** Screen pixels between an object and its copy on the same frame. */
const pasteOffsetPx = 14;

export function nudgeSelection(editor: Editor, dx: number, dy: number): Command | null {
  const shapes = editor.selection.ids().flatMap((id) => {
    const shape = editor.scene.getShape(id);
    return shape === undefined || shape.locked ? [] : [shape];
  });
  const changes = moveTogether(shapes, dx, dy, editor.view.image()).map((after, place): RecordChange => ({
    clientId: after.clientId,
    before: shapes[place] ?? null,
    after,
  }));
  return editor.commands.execute({ kind: 'move', series: 'nudge', changes });
}

export function growSelection(editor: Editor, dx: number, dy: number): Command | null {
  const context = editor.context();
  const changes = editor.selection.ids().flatMap((id): RecordChange[] => {
    const before = editor.scene.getShape(id);
    if (before === undefined || before.locked) return [];
    const behaviour = behaviourOf(before);
    const corner = behaviour.handles(before, context).find((handle) => handle.id === 'se');
    if (corner === undefined) return [];
    const to = { x: corner.x + dx, y: corner.y + dy };
    const after = withGeometry(before, behaviour.drag(before, corner, to, { constrain: false }));
    return [{ clientId: id, before, after }];
  });
  return editor.commands.execute({ kind: 'resize', series: 'grow', changes });
}

/** Creates a shape of the armed tool in the image centre with a quarter of its width and height. */
export function placeShape(editor: Editor): void {
  const { width, height } = editor.view.image();
  const box = { left: width * 0.375, top: height * 0.375, right: width * 0.625, bottom: height * 0.625 };
  editor.tools.current().place?.(box);
}

/** Applies to the mask being painted or, without one, to the selected masks. */
export function fillHoles(editor: Editor): void {
  if (editor.tools.current().fillHoles?.() === true) return;
  const changes = editor.selection.ids().flatMap((clientId): RecordChange[] => {
    const before = editor.scene.getShape(clientId);
    if (before?.type !== 'mask') return [];
    const points = withoutHoles(before.points);
    return points === before.points ? [] : [{ clientId, before, after: { ...before, points } }];
  });
  editor.commands.execute({ kind: 'mask', changes });
}

export function pasteRecords(
  editor: Editor,
  records: readonly SceneRecord[],
  newId: () => ClientId,
  inPlace = false,
): Command | null {
  const { frame } = editor.scene;
  const fresh = records.map((record) => freshCopy(record, frame, newId));
  const shapes = fresh.filter((record): record is ShapeRecord => record.kind === 'shape');
  const fromHere = !inPlace && records.some((record) => record.frame === frame);
  const offset = fromHere ? pasteOffsetPx / editor.view.get().scale : 0;
  const image = editor.view.image();
  const here = inPlace ? shapes : movedInside(shapes, image);
  const placed = [...moveTogether(here, offset, offset, image), ...fresh.filter((record) => record.kind === 'tag')];
  return editor.commands.execute({
    kind: 'paste',
    changes: placed.map(added),
  });
}

function freshCopy(record: SceneRecord, frame: number, newId: () => ClientId): SceneRecord {
  // A copy is an ordinary object, even of a proposal.
  const { serverId: _server, suggestion: _open, ...rest } = record;
  const base = { ...rest, clientId: newId(), frame, locked: false, hidden: false };
  if (base.kind === 'tag') return base;
  const { trackId, elements, ...own } = base;
  // A copy of a track's shape starts a track, so that the kind never changes silently.
  const shape = trackId === undefined ? own : { ...own, trackId: own.clientId, outside: false };
  if (elements === undefined) return shape;
  return {
    ...shape,
    elements: elements.map(({ serverId: _element, ...element }) => ({ ...element, clientId: newId() })),
  };
}
