import type { StoreApi } from 'zustand/vanilla';
import type { Attribute } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { frameIsShown, type AnnotateState } from '../../annotate-state.ts';
import { firstValue, withAttribute } from '../../labels/label-rules.ts';
import type { ModeChoiceStore } from '../mode-choices.ts';
import { createAttributeCursor } from './attribute-cursor.ts';
import { createPassage, type ToObjects } from './attribute-passage.ts';
import { choicesOf, stepAttribute, stepObject, targetAt, type Place, type Target } from './attribute-walk.ts';

interface AttributeParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'tracks' | 'selection' | 'update' | 'zoomTo' | 'fit' | 'on'>;
  readonly store: Pick<StoreApi<AnnotateState>, 'getState' | 'subscribe'>;
  readonly choices: ModeChoiceStore;
  readonly toObjects: ToObjects;
}

/** Objects × attributes of the job, one value after the other. */
export function createAttributeDesk({ engine, store, choices, toObjects }: AttributeParts) {
  const cursor = createAttributeCursor({ engine, store, choices, takeEntry: () => passage.take() });
  const { state, isOn, choose } = cursor;
  const passage = createPassage({
    store,
    choices,
    toObjects,
    only: () => state.getState().only,
    isAsked: () => cursor.targetsNow().length > 0,
    onMoving: (moving) => state.setState({ moving }),
  });

  const go = (next: Place | null, by: 1 | -1): void => {
    if (next === null) void passage.go(by);
    else choose(next);
  };
  const step = (by: 1 | -1): void => {
    const { targets, place } = state.getState();
    go(place === null ? null : stepAttribute(targets, place, by), by);
  };
  const current = (): { readonly target: Target; readonly attribute: Attribute } | null => {
    const { targets, place } = state.getState();
    const target = targetAt(targets, place);
    const attribute = target?.attributes.find(({ id }) => id === place?.attribute);
    return target === undefined || attribute === undefined ? null : { target, attribute };
  };
  /** False: the object is locked, which the canvas says. */
  const put = ({ target: { record }, attribute: { name } }: NonNullable<ReturnType<typeof current>>, value: string) => {
    const { labels } = store.getState();
    engine.update([record.clientId], (given) => withAttribute(given, { name, value }, labels), 'attributes');
    return !record.locked;
  };
  const confirm = (): void => {
    if (choices.get().nextValue) step(1);
  };
  const set = (value: string): void => {
    const now = current();
    if (now !== null && put(now, value)) confirm();
  };

  return {
    state,
    isOn,
    /** Keys wait while a frame is on its way: a value must not land on an object that nobody sees. */
    isReady: (): boolean => isOn() && !state.getState().moving && frameIsShown(store.getState()),
    choose,
    step,
    stepObject(by: 1 | -1) {
      const { targets, place } = state.getState();
      go(place === null ? null : stepObject(targets, place, by), by);
    },
    /** Gives the current attribute a value and, by choice, asks the next one. */
    set,
    /** The value is right as it is: by choice, the next one is asked. */
    confirm,
    /** Gives the current attribute a value and stays with it. */
    keep(value: string) {
      const now = current();
      if (now !== null) put(now, value);
    },
    /** The value with this number, from 1. */
    setNumber(number: number) {
      const now = current();
      const value = now === null ? undefined : choicesOf(now.attribute)[number - 1];
      if (value !== undefined) set(value);
    },
    /** Back to what the attribute starts with. */
    reset() {
      const now = current();
      if (now !== null) put(now, firstValue(now.attribute));
    },
    ask: cursor.ask,
    close: cursor.close,
  };
}
