import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { SceneRecord, TagRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import { frameIsShown, type AnnotateStore } from '../types.ts';
import { refuseLabel } from '../labels/label-edits.ts';
import type { ModeChoiceStore } from './mode-choices.ts';

export const tagLabels = (labels: readonly Label[]): readonly Label[] =>
  labels.filter(({ type }) => labelTakes(type, 'tag'));

/** Tags of the frame, including filtered ones, because a frame has each tag at most once. */
export const tagsOf = (records: readonly SceneRecord[]): readonly TagRecord[] =>
  records.filter((record): record is TagRecord => record.kind === 'tag' && record.suggestion !== true);

interface TagParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'remove'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly choices: ModeChoiceStore;
  readonly tagFrame: (labelId: number) => void;
  /** False if there is none and the frame stays. */
  readonly nextFrame: () => boolean;
}

export function createTagController({ engine, store, choices, tagFrame, nextFrame }: TagParts) {
  const { scene } = engine;
  const isOn = (): boolean => store.getState().mode === 'tags';
  /** A key pressed while a frame loads must not affect the previous frame. */
  const isReady = (): boolean => isOn() && frameIsShown(store.getState());
  const toggle = (labelId: number): void => {
    if (!isReady()) return;
    const there = tagsOf(scene.all()).filter((tag) => tag.labelId === labelId);
    if (there.length > 0) {
      engine.remove(there.map(({ clientId }) => clientId));
      return;
    }
    tagFrame(labelId);
    if (choices.get().nextAfterTag && !nextFrame()) notify.hint('tags', text('desks.lastFrame'));
  };
  return {
    isOn,
    toggle,
    /** The label with this number, from 1, as in all modes. */
    toggleNumber(number: number) {
      const label = store.getState().labels[number - 1];
      if (label === undefined) return;
      if (labelTakes(label.type, 'tag')) toggle(label.id);
      else refuseLabel(label);
    },
    removeLast() {
      const tag = tagsOf(scene.all()).at(-1);
      if (tag !== undefined && isReady()) engine.remove([tag.clientId]);
    },
  };
}
