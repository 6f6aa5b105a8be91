/** Budget for decoded frames in the decoder's format: 80 at 1080p. */
const heldBytes = 256 * 1024 * 1024;
/** Minimum number, at any size. */
const fewest = 36;

/** Decoded frames around the last wanted one, by number; the farthest is dropped first. */
export function createDecodedWindow() {
  const held = new Map<number, VideoFrame>();
  let wanted = 0;
  let room = fewest;
  return {
    /** Number of frames of this size that fit. */
    room: () => room,
    want(frame: number): void {
      wanted = frame;
    },
    get: (frame: number) => held.get(frame),
    has: (frame: number) => held.has(frame),
    /** Takes ownership of the frame. */
    hold(frame: number, picture: VideoFrame): void {
      held.get(frame)?.close();
      held.set(frame, picture);
      room = Math.max(fewest, Math.floor(heldBytes / picture.allocationSize()));
      if (held.size <= room) return;
      const farthest = [...held.keys()].reduce((a, b) => (Math.abs(a - wanted) >= Math.abs(b - wanted) ? a : b));
      held.get(farthest)?.close();
      held.delete(farthest);
    },
    clear(): void {
      for (const picture of held.values()) picture.close();
      held.clear();
    },
  };
}

export type DecodedWindow = ReturnType<typeof createDecodedWindow>;
