import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import type { AnnotateStore, FrameNavigator, SessionParts } from '../types.ts';
import type { FindController } from '../find/find-controller.ts';
import { createAttributeController } from './attribute-controller.ts';
import type { AttributeNavigation } from './attribute-navigation.ts';
import { createModeChoices } from './mode-choices.ts';
import { createSingleController } from './single-controller.ts';
import { createTagController } from './tag-controller.ts';
import { nextOf, nextWithout } from '../frames/frame-navigator.ts';

interface ModeParts extends Pick<SessionParts, 'job' | 'engine' | 'store' | 'navigator'> {
  readonly find: Pick<FindController, 'filter' | 'matches' | 'left'>;
  readonly tagFrame: (labelId: number) => void;
}

interface NextFrameParts {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  readonly left: () => ReadonlySet<number>;
}

/** Goes to the next frame that is not skipped; false if there is none. */
export const createNextFrame =
  ({ job, store, navigator, left }: NextFrameParts) =>
  (): boolean => {
    const place = { frame: store.getState().wantedFrame, first: job.start_frame, last: job.stop_frame };
    const next = nextWithout(left(), place, 1);
    if (next === null) return false;
    void navigator.goTo(next);
    return true;
  };

function ofLabels(names: readonly string[], filter: JsonLogic | null): JsonLogic {
  const named = { in: [{ var: 'label' }, names] };
  return filter === null ? named : { and: [named, filter] };
}

export function createModeControllers({ job, engine, store, navigator, find, tagFrame }: ModeParts) {
  const choices = createModeChoices(localStorage);
  const nextFrame = createNextFrame({ job, store, navigator, left: find.left });
  const toObjects = async (names: readonly string[], by: 1 | -1): Promise<AttributeNavigation> => {
    const from = store.getState().wantedFrame;
    if (names.length === 0) return 'none';
    const { frames } = await find.matches.of(ofLabels(names, find.filter.state.getState().logic));
    if (store.getState().wantedFrame !== from) return 'left';
    const frame = nextOf(
      frames.filter((one) => !find.left().has(one)),
      from,
      by,
    );
    if (frame === null) return 'none';
    await navigator.goTo(frame);
    return store.getState().wantedFrame === frame ? 'there' : 'left';
  };
  const attributes = createAttributeController({ engine, store, choices, toObjects });
  const single = createSingleController({ engine, store, choices, nextFrame });
  return {
    choices,
    attributes,
    single,
    tags: createTagController({ engine, store, choices, tagFrame, nextFrame }),
    close() {
      attributes.close();
      single.close();
    },
  };
}
