import type { EncodedPacket, EncodedPacketSink } from 'mediabunny';
import { createDisposableCheck } from './disposable.ts';
import type { FrameTimes } from './frame-times.ts';
import type { DecodedWindow } from './decoded-window.ts';

/** Maximum number of queued packets: more would be decoded in vain when another frame is wanted. */
const queued = 24;
/** Packets after the wanted one, which take decoding time. Decoders output a frame some packets late. */
const queuedBehind = 2;
/** Number of a frame that is only decoded for others. */
const unnumbered = -1;
/** Polling interval, because a reset decoder emits no events. */
const progressMs = 50;

interface Run {
  readonly start: number;
  readonly startTime: number;
  /** Null after the last packet. */
  next: EncodedPacket | null;
  /** Earlier frames may have been skipped. */
  completeFrom: number;
  /** The last frame that was output. */
  lastOut: number;
}

export interface FrameDecoderOptions {
  readonly packets: EncodedPacketSink;
  readonly config: VideoDecoderConfig;
  readonly times: FrameTimes;
  /** Receives decoded frames. */
  readonly window: DecodedWindow;
}

/**
 * Decodes wanted frames one by one. A later frame of the same group continues the running decoding; any other one
 * starts at its keyframe and skips frames that no other one needs.
 */
export function createFrameDecoder({ packets, config, times, window }: FrameDecoderOptions) {
  const { timeOf, frameAt } = times;
  const isDisposable = createDisposableCheck(config);
  let failure: DOMException | null = null;
  let wake = (): void => {};
  let run: Run | null = null;

  const decoder = new VideoDecoder({
    output(picture) {
      if (picture.timestamp === unnumbered) picture.close();
      else {
        if (run) run.lastOut = Math.max(run.lastOut, picture.timestamp);
        window.hold(picture.timestamp, picture);
      }
      wake();
    },
    error(error) {
      failure = error;
      wake();
    },
  });
  decoder.ondequeue = () => wake();

  /** Decoding that leads to a frame of the group of `key`: the running one if the frame is still ahead. */
  async function runTo(frame: number, time: number, before: number): Promise<Run> {
    const key = await packets.getKeyPacket(time, { metadataOnly: true });
    if (key === null) throw noPlace(frame);
    const { sequenceNumber: start, timestamp: startTime } = key;
    const completeFrom = frame - before;
    const isOnTheWay = run?.next && run.start <= start && start <= run.next.sequenceNumber;
    if (run && isOnTheWay && frame > run.lastOut && frame >= run.completeFrom) {
      run.completeFrom = Math.max(run.completeFrom, completeFrom);
      return run;
    }
    // Resets early, so that the decoder is ready when the packet arrives.
    decoder.reset();
    decoder.configure(config);
    run = null;
    const next = await packets.getKeyPacket(time);
    return { start, startTime, next, completeFrom, lastOut: -1 };
  }

  /** Skips frames that follow a keyframe but are shown before it, because they may refer to the previous group. */
  function feed(packet: EncodedPacket, { start, startTime }: Run, neededFrom: number): void {
    if (packet.timestamp < startTime) return;
    if (packet.timestamp < neededFrom && isDisposable(packet.data)) return;
    const type = packet.sequenceNumber === start ? 'key' : packet.type;
    // The output frame has the same timestamp, which identifies it.
    const timestamp = frameAt(packet.timestamp) ?? unnumbered;
    decoder.decode(new EncodedVideoChunk({ type, timestamp, data: packet.data }));
  }

  /** Resolves with the next output frame or free place in the queue. */
  const progress = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, progressMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function goOnTo(frame: number, current: Run, neededFrom: number, signal: AbortSignal): Promise<VideoFrame> {
    // In decoding order.
    let isFed = false;
    for (;;) {
      const picture = window.get(frame);
      if (picture) return picture;
      if (failure) throw failure;
      signal.throwIfAborted();
      // Frames are output in display order.
      if (!run || run.lastOut > frame) throw new Error(`The decoder returned no frame ${frame}.`);
      if (decoder.decodeQueueSize >= (isFed ? queuedBehind : queued)) {
        await progress();
      } else if (current.next === null) {
        // Flushes the decoder, which needs a keyframe next.
        run = null;
        await decoder.flush();
      } else {
        feed(current.next, current, neededFrom);
        isFed ||= frameAt(current.next.timestamp) === frame;
        current.next = await packets.getNextPacket(current.next);
      }
    }
  }

  return {
    /**
     * Decodes a frame into the window, one call at a time. Rejects with AbortError if aborted, and with the decoder's
     * error for a damaged video, after which it outputs nothing any more.
     * @param before previous frames that are decoded too, for steps backwards
     */
    async decode(frame: number, before: number, signal: AbortSignal): Promise<VideoFrame> {
      const time = timeOf(frame);
      if (time === undefined) throw noPlace(frame);
      // A frame before the decoder's position needs its group from the start.
      const held = window.get(frame);
      if (held) return held;
      if (failure) throw failure;
      const current = await runTo(frame, time, before);
      run = current;
      const neededFrom = timeOf(frame - before) ?? -Infinity;
      const giveUp = (): void => wake();
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await goOnTo(frame, current, neededFrom, signal);
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    close(): void {
      if (decoder.state !== 'closed') decoder.close();
    },
  };
}

const noPlace = (frame: number): Error => new Error(`Cannot find frame ${frame} in the video.`);
