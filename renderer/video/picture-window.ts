/** Of decoded pictures, as the decoder gives them: 80 of 1080p. */
const heldBytes = 256 * 1024 * 1024;
/** However large they are. */
const fewest = 36;

/** The decoded pictures around the frame that was wanted last, by their numbers; the farthest goes first. */
export function createPictureWindow() {
  const held = new Map<number, VideoFrame>();
  let wanted = 0;
  let room = fewest;
  return {
    /** How many pictures of this size are held. */
    room: () => room,
    want(frame: number): void {
      wanted = frame;
    },
    get: (frame: number) => held.get(frame),
    has: (frame: number) => held.has(frame),
    /** Takes the picture over. */
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

export type PictureWindow = ReturnType<typeof createPictureWindow>;
