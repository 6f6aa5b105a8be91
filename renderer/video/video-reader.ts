import { ALL_FORMATS, EncodedPacketSink, Input } from 'mediabunny';
import type { VideoTimes } from '../../preload/contract/schema/resources.ts';
import { createFrameDecoder } from './frame-decoder.ts';
import { createFrameTimes } from './frame-times.ts';
import { createLookAhead } from './look-ahead.ts';
import { createLookBehind } from './look-behind.ts';
import { createDecodedWindow } from './decoded-window.ts';
import { openVideoFile } from './video-file.ts';

/** Previous frames that are decoded with a wanted one. */
const stepsBack = 12;

export interface VideoReader {
  /** The caller closes the frame. Rejects with AbortError if aborted. */
  frame(frame: number, signal: AbortSignal): Promise<VideoFrame>;
  close(): void;
}

interface Wish {
  readonly frame: number;
  readonly signal: AbortSignal;
  readonly resolve: (picture: VideoFrame) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a video if this browser can decode it, else returns null and the service decodes it. Frames in memory wait for
 * no decoder. The latest request has priority; aborted ones cost nothing more.
 */
export async function openVideo(path: string, times: VideoTimes, signal: AbortSignal): Promise<VideoReader | null> {
  const input = new Input({ source: await openVideoFile(path, signal), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack().catch(() => null);
  const config = await configOf(track);
  if (track === null || config === null) {
    input.dispose();
    return null;
  }
  const window = createDecodedWindow();
  const shared = { packets: new EncodedPacketSink(track), config, times: createFrameTimes(times), window };
  const decoder = createFrameDecoder(shared);
  const ahead = createLookAhead({ times: shared.times, decoder });
  const behind = createLookBehind({ window, decoder: () => createFrameDecoder(shared) });
  let wishes: Wish[] = [];
  let isServing = false;
  let last = 0;

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    await ahead.stop();
    for (let wish = wishes.pop(); wish; wish = wishes.pop()) {
      try {
        wish.signal.throwIfAborted();
        window.want(wish.frame);
        if (!window.has(wish.frame)) await behind.coming(wish.frame);
        const picture = window.get(wish.frame) ?? (await decoder.decode(wish.frame, stepsBack, wish.signal));
        wish.resolve(picture.clone());
      } catch (error) {
        wish.reject(error);
      }
    }
    isServing = false;
    served();
  }

  function served(): void {
    ahead.resume();
    behind.served(last);
  }

  return {
    frame(frame, called) {
      behind.notice(frame);
      ahead.notice(frame);
      last = frame;
      const held = window.get(frame);
      if (held !== undefined) {
        window.want(frame);
        if (!isServing) served();
        return Promise.resolve(held.clone());
      }
      return new Promise((resolve, reject) => {
        wishes.push({ frame, signal: called, resolve, reject });
        void serve();
      });
    },
    close() {
      for (const { reject } of wishes) reject(new DOMException('The video was closed.', 'AbortError'));
      wishes = [];
      void ahead.stop();
      decoder.close();
      behind.close();
      window.clear();
      input.dispose();
    },
  };
}

type Track = Awaited<ReturnType<Input['getPrimaryVideoTrack']>>;

/**
 * Frames of a software decoder can be held; hardware decoders have few and stall without them. Null if this browser
 * cannot decode the video or would not rotate its frames.
 */
async function configOf(track: Track): Promise<VideoDecoderConfig | null> {
  const config = await track?.getDecoderConfig().catch(() => null);
  if (!track || !config || typeof VideoDecoder === 'undefined') return null;
  const turned = { rotation: await track.getRotation(), flip: await track.getFlip() };
  if ((turned.rotation !== 0 || turned.flip) && !('rotation' in VideoFrame.prototype)) return null;
  const wanted: VideoDecoderConfig = { ...config, ...turned, hardwareAcceleration: 'prefer-software' };
  const { supported } = await VideoDecoder.isConfigSupported(wanted).catch(() => ({ supported: false }));
  return supported === true ? wanted : null;
}
