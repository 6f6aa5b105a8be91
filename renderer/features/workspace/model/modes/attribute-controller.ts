import type { Attribute } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { frameIsShown, type AnnotateStore } from '../types.ts';
import { firstValue, withAttribute } from '../labels/label-rules.ts';
import type { ModeChoiceStore } from './mode-choices.ts';
import { createAttributeCursor } from './attribute-cursor.ts';
import { createAttributeNavigation, type ToObjects } from './attribute-navigation.ts';
import { choicesOf, stepAttribute, stepObject, targetAt, type Place, type Target } from './attribute-order.ts';

interface AttributeParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'tracks' | 'selection' | 'update' | 'zoomTo' | 'fit' | 'on'>;
  readonly store: Pick<AnnotateStore, 'getState' | 'subscribe'>;
  readonly choices: ModeChoiceStore;
  readonly toObjects: ToObjects;
}

/** Attribute mode: iterates over the objects and attributes of the job. */
export function createAttributeController({ engine, store, choices, toObjects }: AttributeParts) {
  const cursor = createAttributeCursor({ engine, store, choices });
  const { state, isOn, choose } = cursor;
  const navigation = createAttributeNavigation({ store, choices, toObjects, cursor });

  const go = (next: Place | null, by: 1 | -1): void => {
    if (next === null) void navigation.go(by);
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
  /** False if the object is locked; the canvas shows the reason. */
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
    /** Keys wait while a frame loads: a value must not go to an invisible object. */
    isReady: (): boolean => isOn() && !state.getState().moving && frameIsShown(store.getState()),
    choose,
    step,
    stepObject(by: 1 | -1) {
      const { targets, place } = state.getState();
      go(place === null ? null : stepObject(targets, place, by), by);
    },
    /** Sets the current attribute and optionally moves to the next one. */
    set,
    /** Keeps the value and optionally moves to the next attribute. */
    confirm,
    /** Sets the current attribute without moving on. */
    keep(value: string) {
      const now = current();
      if (now !== null) put(now, value);
    },
    setNumber(number: number) {
      const now = current();
      const value = now === null ? undefined : choicesOf(now.attribute)[number - 1];
      if (value !== undefined) set(value);
    },
    reset() {
      const now = current();
      if (now !== null) put(now, firstValue(now.attribute));
    },
    ask: cursor.ask,
    close: cursor.close,
  };
}
