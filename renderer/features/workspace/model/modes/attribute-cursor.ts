import { createStore } from 'zustand/vanilla';
import { stopAll } from '../../../../canvas/emitter.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { AnnotateStore } from '../types.ts';
import type { ModeChoiceStore } from './mode-choices.ts';
import { endOf, placeAgain, placeOfCommand, targetAt, targetsOf, type Place, type Target } from './attribute-order.ts';

export interface AttributeState {
  readonly targets: readonly Target[];
  /** Null if the frame has nothing to ask. */
  readonly place: Place | null;
  /** Name of the only attribute to ask; null for all. */
  readonly only: string | null;
  readonly moving: boolean;
}

interface CursorParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'tracks' | 'selection' | 'zoomTo' | 'fit' | 'on'>;
  readonly store: Pick<AnnotateStore, 'getState' | 'subscribe'>;
  readonly choices: ModeChoiceStore;
}

/** The current attribute of the selected object. Follows frames, edits and selection. */
export function createAttributeCursor({ engine, store, choices }: CursorParts) {
  const state = createStore<AttributeState>(() => ({ targets: [], place: null, only: null, moving: false }));
  const { scene, tracks, selection } = engine;
  const isOn = (): boolean => store.getState().mode === 'attributes';
  let settledFrame: number | null = null;
  let isSettling = false;
  let entering: 1 | -1 | null = null;

  const targetsNow = (): Target[] =>
    targetsOf({
      records: scene.all(),
      labels: store.getState().labels,
      trackStart: (id) => tracks.get(id)?.frame,
      only: state.getState().only,
    });
  const look = (): void => {
    const { targets, place } = state.getState();
    const record = targetAt(targets, place)?.record;
    if (record?.kind !== 'shape') {
      engine.fit();
      return;
    }
    const { left, top, right, bottom } = boundsOf(record);
    const { margin } = choices.get();
    engine.zoomTo({ left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin });
  };
  const choose = (place: Place): void => {
    const isOther = place.object !== state.getState().place?.object;
    state.setState({ place });
    selection.set([place.object]);
    if (isOther) look();
  };
  const settle = (): void => {
    isSettling = false;
    if (!isOn() || store.getState().playing) return;
    const { place: before, targets: old } = state.getState();
    const targets = targetsNow();
    const isOtherFrame = settledFrame !== scene.frame;
    const entry = isOtherFrame ? entering : null;
    if (isOtherFrame) entering = null;
    const turn = isOtherFrame ? 0 : old.findIndex(({ record }) => record.clientId === before?.object);
    const place = entry === null ? placeAgain(targets, before, turn) : endOf(targets, entry);
    settledFrame = scene.frame;
    state.setState({ targets, place });
    if (place !== null && !selection.has(place.object)) selection.set([place.object]);
    if (isOtherFrame || place?.object !== before?.object) look();
  };
  /** Frame, records and labels change one after the other, so they are read together afterwards. */
  const settleSoon = (): void => {
    if (!isSettling) queueMicrotask(settle);
    isSettling = true;
  };
  const start = (): void => {
    settledFrame = null;
    const object = selection.ids().at(-1);
    state.setState({ place: object === undefined ? null : { object, attribute: -1 } });
    settleSoon();
  };
  const followSelection = (ids: readonly string[]): void => {
    const { targets, place } = state.getState();
    const object = ids.at(-1);
    if (!isOn() || object === undefined || object === place?.object) return;
    if (targets.some(({ record }) => record.clientId === object))
      state.setState({ place: placeAgain(targets, { object, attribute: place?.attribute ?? -1 }, 0) });
  };

  const stops = [
    scene.subscribe(settleSoon),
    engine.on('selection', followSelection),
    // Undo returns to the attribute that it changed.
    engine.on('command', (command, origin) => {
      const place = isOn() && origin !== 'do' ? placeOfCommand(command, targetsNow(), state.getState().place) : null;
      if (place !== null) choose(place);
    }),
    store.subscribe((now, before) => {
      if (now.mode !== before.mode && isOn()) start();
      else if (now.mode !== before.mode && before.mode === 'attributes') engine.fit();
      else if (now.labels !== before.labels || (before.playing && !now.playing)) settleSoon();
    }),
    choices.state.subscribe((now, before) => {
      if (isOn() && now.margin !== before.margin) look();
    }),
  ];

  return {
    state,
    isOn,
    targetsNow,
    choose,
    /** Sets the direction from which the next frame is entered; null keeps the current object if it is on the frame. */
    enter(by: 1 | -1 | null) {
      entering = by;
    },
    ask(only: string | null) {
      state.setState({ only });
      settleSoon();
    },
    close: () => stopAll(stops),
  };
}

export type AttributeCursor = ReturnType<typeof createAttributeCursor>;
