import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateStore } from '../types.ts';
import type { AttributeCursor } from './attribute-cursor.ts';
import type { ModeChoiceStore } from './mode-choices.ts';

export type AttributeNavigation = 'there' | 'none' | 'left';

export type ToObjects = (labels: readonly string[], by: 1 | -1) => Promise<AttributeNavigation>;

interface AttributeNavigationParts {
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly choices: ModeChoiceStore;
  readonly toObjects: ToObjects;
  readonly cursor: Pick<AttributeCursor, 'state' | 'targetsNow' | 'enter'>;
}

/** Moves from the last object of a frame to the first one of the next frame with objects, and back. */
export function createAttributeNavigation({ store, choices, toObjects, cursor }: AttributeNavigationParts) {
  const { state, enter } = cursor;
  const isWanted = ({ name }: { readonly name: string }): boolean => {
    const { only } = state.getState();
    return only === null || name === only;
  };

  const walk = async (by: 1 | -1): Promise<AttributeNavigation> => {
    const { labels, mode } = store.getState();
    const names = labels.filter(({ attributes }) => attributes.some(isWanted)).map(({ name }) => name);
    for (;;) {
      enter(by);
      // oxlint-disable-next-line no-await-in-loop -- one frame after the other, until one has something to be asked
      const navigation = await toObjects(names, by);
      if (navigation !== 'there' || cursor.targetsNow().length > 0 || store.getState().mode !== mode) return navigation;
    }
  };

  return {
    async go(by: 1 | -1): Promise<void> {
      if (!choices.get().nextFrame) {
        notify.hint('attributes', text(by > 0 ? 'desks.attributes.lastHere' : 'desks.attributes.firstHere'));
        return;
      }
      if (state.getState().moving) return;
      state.setState({ moving: true });
      try {
        const navigation = await walk(by);
        if (navigation === 'none')
          notify.hint('attributes', text(by > 0 ? 'desks.attributes.noNext' : 'desks.attributes.noPrevious'));
      } catch (error) {
        notify.failure(text('desks.attributes.failed'), error);
      } finally {
        enter(null);
        state.setState({ moving: false });
      }
    },
  };
}
