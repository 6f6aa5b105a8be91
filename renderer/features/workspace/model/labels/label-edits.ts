import { added } from '../../../../canvas/changes.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ClientId, RecordChange, TagRecord } from '../../../../canvas/types.ts';
import { canvasText } from '../../../../i18n/canvas-text.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateStore } from '../types.ts';
import { defaultAttributes, labelSuitsRecord, relabelled, relabelledTrack } from './label-rules.ts';

export const refuseLabel = ({ name, type }: Label): void =>
  notify.hint(
    'refused',
    type === 'any' ? text('annotate.labelNoSkeleton', { name }) : text('annotate.labelUnfit', { name, type }),
  );

export function createLabelEdits(engine: CanvasEngine, store: AnnotateStore) {
  const { scene } = engine;
  const labelOf = (id: number): Label | undefined => store.getState().labels.find((label) => label.id === id);
  return {
    relabel(ids: readonly ClientId[], labelId: number) {
      const label = labelOf(labelId);
      if (label === undefined) return;
      const { labels } = store.getState();
      const fitting = ids.filter((id) => {
        const record = scene.get(id);
        return record !== undefined && labelSuitsRecord(label, record, labels);
      });
      if (fitting.length < ids.length) refuseLabel(label);
      const changes = fitting.flatMap((id): RecordChange[] => {
        const before = engine.tracks.get(id) ?? scene.get(id);
        if (before === undefined || before.locked) return [];
        const after =
          before.kind === 'track'
            ? relabelledTrack(before, label, labels)
            : { ...before, ...relabelled(before, label, labels) };
        // A patch never changes an object's kind.
        return [{ clientId: id, before, after: after as typeof before }];
      });
      if (changes.length > 0) engine.execute({ kind: 'label', frame: scene.frame, changes });
      else if (fitting.length > 0) notify.hint('refused', canvasText('canvas.refused.lockedChange'));
    },
    tagFrame(labelId: number) {
      const label = labelOf(labelId);
      const there = scene.all().some((record) => record.kind === 'tag' && record.labelId === labelId);
      if (label === undefined || there) return;
      const tag: TagRecord = {
        kind: 'tag',
        clientId: crypto.randomUUID(),
        frame: scene.frame,
        labelId,
        group: 0,
        source: 'manual',
        attributes: defaultAttributes(label),
        locked: false,
        hidden: false,
      };
      engine.execute({ kind: 'create', changes: [added(tag)] });
    },
  };
}
