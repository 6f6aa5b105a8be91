import type { EncodedPacket, EncodedPacketSink } from 'mediabunny';
import { createDisposableCheck } from './disposable.ts';
import type { FrameTimes } from './frame-times.ts';
import type { PictureWindow } from './picture-window.ts';

/** Packets that the decoder holds at once: more would be decoded in vain when another frame is wanted. */
const queued = 24;
/** Behind the wanted one: what is decoded beside it takes of its time. Decoders give a picture some packets late. */
const queuedBehind = 2;
/** Of a packet whose picture is decoded for others only. */
const unnumbered = -1;
/** A decoder that was reset says nothing any more. */
const progressMs = 50;

/** What the decoder is in the middle of. */
interface Run {
  /** Place of its keyframe's packet. */
  readonly start: number;
  /** When that is shown. */
  readonly startTime: number;
  /** Null behind the last packet. */
  next: EncodedPacket | null;
  /** Frames before it may have been left out. */
  completeFrom: number;
  /** The last frame that came out. */
  lastOut: number;
}

export interface FrameDecoderOptions {
  readonly packets: EncodedPacketSink;
  readonly config: VideoDecoderConfig;
  readonly times: FrameTimes;
  /** Where decoded pictures go. */
  readonly window: PictureWindow;
}

/**
 * Decodes one wanted frame after the other. A frame further on in the same group goes on where the decoder is; one
 * elsewhere begins at the keyframe before it, without the pictures that no other one needs.
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

  /** The run that leads to a frame of the group of `key`: the present one where the frame is still to come in it. */
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
    // It gets ready while the packet is fetched.
    decoder.reset();
    decoder.configure(config);
    run = null;
    const next = await packets.getKeyPacket(time);
    return { start, startTime, next, completeFrom, lastOut: -1 };
  }

  /** Pictures that follow a keyframe and are shown before it may refer to the group before it, which was not decoded. */
  function feed(packet: EncodedPacket, { start, startTime }: Run, neededFrom: number): void {
    if (packet.timestamp < startTime) return;
    if (packet.timestamp < neededFrom && isDisposable(packet.data)) return;
    const type = packet.sequenceNumber === start ? 'key' : packet.type;
    // The number comes back with the picture.
    const timestamp = frameAt(packet.timestamp) ?? unnumbered;
    decoder.decode(new EncodedVideoChunk({ type, timestamp, data: packet.data }));
  }

  /** The next picture or the next place in the queue. */
  const progress = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, progressMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function goOnTo(frame: number, current: Run, neededFrom: number, signal: AbortSignal): Promise<VideoFrame> {
    // In the order of decoding.
    let isFed = false;
    for (;;) {
      const picture = window.get(frame);
      if (picture) return picture;
      if (failure) throw failure;
      signal.throwIfAborted();
      // Pictures come out in the order in which they are shown.
      if (!run || run.lastOut > frame) throw new Error(`The decoder gave no frame ${frame}.`);
      if (decoder.decodeQueueSize >= (isFed ? queuedBehind : queued)) {
        await progress();
      } else if (current.next === null) {
        // What the decoder still holds comes out; it wants a keyframe next.
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
     * Brings a frame into the window. One at a time. Rejects with AbortError when called off, and with what the decoder
     * said of a damaged video: then it gives nothing any more.
     * @param before frames just before it that are decoded with it: somebody steps back to them
     */
    async decode(frame: number, before: number, signal: AbortSignal): Promise<VideoFrame> {
      const time = timeOf(frame);
      if (time === undefined) throw noPlace(frame);
      // Nothing leads to what is behind the decoder but its group from the beginning.
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

const noPlace = (frame: number): Error => new Error(`Frame ${frame} has no place in the video.`);
