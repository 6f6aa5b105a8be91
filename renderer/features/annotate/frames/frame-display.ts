import type { DisplayFacts } from '../../../../preload/contract/schema/resources.ts';
import { send } from '../../../api/client.ts';

/** What is shown of images that hold more than a screen can. Undefined members: as everybody sees the image. */
export interface FrameDisplay {
  /** One band as gray, or those of red, green and blue; counted from 0. */
  readonly bands?: readonly number[] | undefined;
  /** Percentiles of the values that become black and white. */
  readonly window?: readonly [low: number, high: number] | undefined;
}

/** Formats that may hold bands, or more than 8 bits a channel. */
const mayHoldMore = /\.(tiff?|png)$/i;

/** Reads once for each frame what of its image can be chosen. Null: nothing. */
export function createDisplayFacts(jobId: number, nameOf: (frame: number) => string | undefined) {
  const known = new Map<number, Promise<DisplayFacts | null>>();
  const read = async (frame: number): Promise<DisplayFacts | null> => {
    if (!mayHoldMore.test(nameOf(frame) ?? '')) return null;
    const facts = (await (await send(`/api/limner/jobs/${jobId}/frames/${frame}/display`)).json()) as DisplayFacts;
    return facts.bands > 1 || facts.has_window ? facts : null;
  };
  return (frame: number): Promise<DisplayFacts | null> => {
    const found =
      known.get(frame) ??
      read(frame).catch((error: unknown) => {
        known.delete(frame);
        throw error;
      });
    known.set(frame, found);
    return found;
  };
}

export type ReadDisplayFacts = ReturnType<typeof createDisplayFacts>;

/** The part of a query that asks for a display, as far as the image has what was chosen; empty where nothing was. */
export function displayQuery({ bands, window }: FrameDisplay, facts: DisplayFacts | null): string {
  if (facts === null) return '';
  const query = new URLSearchParams();
  if (bands?.every((band) => band < facts.bands)) query.set('bands', bands.join(','));
  if (window !== undefined && facts.has_window) query.set('window', window.join(','));
  return query.toString();
}

interface DisplayParts {
  readonly facts: ReadDisplayFacts;
  readonly shown: () => FrameDisplay;
  /** Shows all frames again in another display. */
  readonly show: (display: FrameDisplay) => void;
}

/** Which bands and values of a job's images are shown. */
export const createFrameDisplay = ({ facts, shown, show }: DisplayParts) => ({
  facts,
  set: (change: FrameDisplay): void => show({ ...shown(), ...change }),
  /** Shows images as everybody sees them. */
  reset(): void {
    if (Object.keys(shown()).length > 0) show({});
  },
});
