import type { StoreApi } from 'zustand/vanilla';
import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { SceneRecord, TagRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import { frameIsShown, type AnnotateState } from '../../annotate-state.ts';
import { refuseLabel } from '../../labels/label-edits.ts';
import type { ModeChoiceStore } from '../mode-choices.ts';

/** What a frame can be tagged with, in the labels' order. */
export const tagLabels = (labels: readonly Label[]): readonly Label[] =>
  labels.filter(({ type }) => labelTakes(type, 'tag'));

/** Tags of the frame, those that a filter hides among them: a frame has each tag once. */
export const tagsOf = (records: readonly SceneRecord[]): readonly TagRecord[] =>
  records.filter((record): record is TagRecord => record.kind === 'tag' && record.suggestion !== true);

interface TagParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'remove'>;
  readonly store: Pick<StoreApi<AnnotateState>, 'getState'>;
  readonly choices: ModeChoiceStore;
  readonly tagFrame: (labelId: number) => void;
  /** False: there is none, and the frame stays. */
  readonly nextFrame: () => boolean;
}

/** Tags of frames, put and taken by one key each. */
export function createTagDesk({ engine, store, choices, tagFrame, nextFrame }: TagParts) {
  const { scene } = engine;
  const isOn = (): boolean => store.getState().mode === 'tags';
  /** What is pressed while a frame is on its way must not land on the one that is left. */
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
    /** Puts the tag or, where the frame has it, takes it away. */
    toggle,
    /** The label with this number, from 1: the same number as in all modes. */
    toggleNumber(number: number) {
      const label = store.getState().labels[number - 1];
      if (label === undefined) return;
      if (labelTakes(label.type, 'tag')) toggle(label.id);
      else refuseLabel(label);
    },
    /** Takes the tag away that was put last. */
    removeLast() {
      const tag = tagsOf(scene.all()).at(-1);
      if (tag !== undefined && isReady()) engine.remove([tag.clientId]);
    },
  };
}
