import type { EncodedPacket, EncodedPacketSink } from 'mediabunny';
import { createDisposableCheck } from './disposable.ts';
import type { FrameTimes } from './frame-times.ts';

/** Packets that the decoder holds at once: more would be decoded in vain when another frame is wanted. */
const queued = 24;
/** Past the wanted one: what is decoded beside it only takes the time of it. Decoders give a picture some packets late. */
const queuedPast = 2;
/** Frames just before a wanted one are decoded with it: somebody steps back to them. */
const before = 12;
/** Of decoded pictures, as the decoder gives them: 80 of 1080p. */
const heldBytes = 256 * 1024 * 1024;
/** Of a packet whose picture is decoded for others only. */
const unnumbered = -1;
/** A decoder that was reset says nothing any more. */
const progressMs = 50;

/** What the decoder is in the middle of. */
interface Run {
  readonly key: EncodedPacket;
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
}

/**
 * Decodes one wanted frame after the other. A frame further on in the same group goes on where the decoder is; one
 * elsewhere begins at the keyframe before it, without the pictures that no other one needs. Decoded pictures around the
 * wanted one are held.
 */
export function createFrameDecoder({ packets, config, times: { timeOf, frameAt } }: FrameDecoderOptions) {
  const isDisposable = createDisposableCheck(config);
  const held = new Map<number, VideoFrame>();
  let wanted = 0;
  let failure: DOMException | null = null;
  let wake = (): void => {};
  let run: Run | null = null;

  const decoder = new VideoDecoder({
    output(picture) {
      if (picture.timestamp === unnumbered) picture.close();
      else {
        if (run) run.lastOut = Math.max(run.lastOut, picture.timestamp);
        hold(picture.timestamp, picture);
      }
      wake();
    },
    error(error) {
      failure = error;
      wake();
    },
  });
  decoder.ondequeue = () => wake();

  function hold(frame: number, picture: VideoFrame): void {
    held.get(frame)?.close();
    held.set(frame, picture);
    if (held.size <= Math.max(before + queued, Math.floor(heldBytes / picture.allocationSize()))) return;
    const farthest = [...held.keys()].reduce((a, b) => (Math.abs(a - wanted) >= Math.abs(b - wanted) ? a : b));
    held.get(farthest)?.close();
    held.delete(farthest);
  }

  /** The run that leads to a frame of the group of `key`: the present one where the frame is still to come in it. */
  function runTo(key: EncodedPacket, frame: number): Run {
    const completeFrom = frame - before;
    const place = key.sequenceNumber;
    const isOnTheWay = run?.next && run.key.sequenceNumber <= place && place <= run.next.sequenceNumber;
    if (run && isOnTheWay && frame > run.lastOut && frame >= run.completeFrom) {
      run.completeFrom = Math.max(run.completeFrom, completeFrom);
      return run;
    }
    decoder.reset();
    decoder.configure(config);
    return { key, next: key, completeFrom, lastOut: -1 };
  }

  /** Pictures that follow a keyframe and are shown before it may refer to the group before it, which was not decoded. */
  function feed(packet: EncodedPacket, key: EncodedPacket, neededFrom: number): void {
    if (packet.timestamp < key.timestamp) return;
    if (packet.timestamp < neededFrom && isDisposable(packet.data)) return;
    const type = packet.sequenceNumber === key.sequenceNumber ? 'key' : packet.type;
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

  /** Brings the run one packet further. */
  async function advance(current: Run, time: number, neededFrom: number): Promise<void> {
    const isPast = current.next !== null && current.next.timestamp > time;
    if (decoder.decodeQueueSize >= (isPast ? queuedPast : queued)) {
      await progress();
    } else if (current.next === null) {
      // What the decoder still holds comes out; it wants a keyframe next.
      run = null;
      await decoder.flush();
    } else {
      feed(current.next, current.key, neededFrom);
      current.next = await packets.getNextPacket(current.next);
    }
  }

  return {
    /**
     * One at a time. The picture stays the decoder's. Rejects with AbortError when called off, and with what the decoder
     * said of a damaged video: then it gives nothing any more.
     */
    async decode(frame: number, signal: AbortSignal): Promise<VideoFrame> {
      signal.throwIfAborted();
      wanted = frame;
      const known = held.get(frame);
      if (known) return known;
      const time = timeOf(frame);
      const key = time === undefined ? null : await packets.getKeyPacket(time);
      if (time === undefined || key === null) throw new Error(`Frame ${frame} has no place in the video.`);
      if (failure) throw failure;
      signal.throwIfAborted();
      run = runTo(key, frame);
      const neededFrom = timeOf(frame - before) ?? -Infinity;
      for (;;) {
        const picture = held.get(frame);
        if (picture) return picture;
        if (failure) throw failure;
        signal.throwIfAborted();
        // Pictures come out in the order in which they are shown.
        if (!run || run.lastOut > frame) throw new Error(`The decoder gave no frame ${frame}.`);
        await advance(run, time, neededFrom);
      }
    },
    close(): void {
      for (const picture of held.values()) picture.close();
      held.clear();
      if (decoder.state !== 'closed') decoder.close();
    },
  };
}
