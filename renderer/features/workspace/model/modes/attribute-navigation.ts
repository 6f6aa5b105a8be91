import type { StoreApi } from 'zustand/vanilla';
import { messageOf } from '../../../../api/api-error.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateState } from '../types.ts';
import type { ModeChoiceStore } from './mode-choices.ts';

export type AttributeNavigation = 'there' | 'none' | 'left';

export type ToObjects = (labels: readonly string[], by: 1 | -1) => Promise<AttributeNavigation>;

interface AttributeNavigationParts {
  readonly store: Pick<StoreApi<AnnotateState>, 'getState'>;
  readonly choices: ModeChoiceStore;
  readonly toObjects: ToObjects;
  readonly only: () => string | null;
  readonly isAsked: () => boolean;
  readonly onMoving: (moving: boolean) => void;
}

/** Moves from the last object of a frame to the first one of the next frame with objects, and back. */
export function createAttributeNavigation({
  store,
  choices,
  toObjects,
  only,
  isAsked,
  onMoving,
}: AttributeNavigationParts) {
  let entering: 1 | -1 | null = null;
  let isMoving = false;
  const isWanted = ({ name }: { readonly name: string }): boolean => only() === null || name === only();

  const walk = async (by: 1 | -1): Promise<AttributeNavigation> => {
    const { labels, mode } = store.getState();
    const names = labels.filter(({ attributes }) => attributes.some(isWanted)).map(({ name }) => name);
    for (;;) {
      entering = by;
      // oxlint-disable-next-line no-await-in-loop -- one frame after the other, until one has something to be asked
      const navigation = await toObjects(names, by);
      if (navigation !== 'there' || isAsked() || store.getState().mode !== mode) return navigation;
    }
  };

  return {
    /** Direction from which the frame was entered; null if it was shown in another way. */
    take(): 1 | -1 | null {
      const from = entering;
      entering = null;
      return from;
    },
    async go(by: 1 | -1): Promise<void> {
      if (!choices.get().nextFrame) {
        notify.hint('attributes', text(by > 0 ? 'desks.attributes.lastHere' : 'desks.attributes.firstHere'));
        return;
      }
      if (isMoving) return;
      isMoving = true;
      onMoving(true);
      try {
        const navigation = await walk(by);
        if (navigation === 'none')
          notify.hint('attributes', text(by > 0 ? 'desks.attributes.noNext' : 'desks.attributes.noPrevious'));
      } catch (error) {
        notify.failure(text('desks.attributes.failed'), messageOf(error));
      } finally {
        entering = null;
        isMoving = false;
        onMoving(false);
      }
    },
  };
}
