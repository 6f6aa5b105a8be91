import type { DisplayFacts } from '../../../../../preload/contract/schema/resources.ts';
import { send } from '../../../../api/client.ts';
import type { FrameDisplay, SessionParts } from '../types.ts';
import type { FrameLoader } from './frame-loader.ts';

/** Formats that may have more bands, or more than 8 bits per channel. */
const mayHoldMore = /\.(tiff?|png)$/i;

/** Display choices of a frame's image, read once per frame; null if there are none. */
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

type ReadDisplayFacts = ReturnType<typeof createDisplayFacts>;

/** Query string of a display, limited to the image's bands; empty for the default. */
export function displayQuery({ bands, window }: FrameDisplay, facts: DisplayFacts | null): string {
  if (facts === null) return '';
  const query = new URLSearchParams();
  if (bands?.every((band) => band < facts.bands)) query.set('bands', bands.join(','));
  if (window !== undefined && facts.has_window) query.set('window', window.join(','));
  return query.toString();
}

interface DisplayParts extends Pick<SessionParts, 'store' | 'navigator'> {
  readonly facts: ReadDisplayFacts;
  readonly frames: Pick<FrameLoader, 'renew'>;
}

export function createFrameDisplay({ store, navigator, facts, frames }: DisplayParts) {
  const show = (display: FrameDisplay): void => {
    store.setState({ display });
    frames.renew();
    // The frame itself reports a failure.
    void navigator.reload();
  };
  return {
    facts,
    set: (change: FrameDisplay): void => show({ ...store.getState().display, ...change }),
    reset(): void {
      if (Object.keys(store.getState().display).length > 0) show({});
    },
  };
}
