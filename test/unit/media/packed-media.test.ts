import { describe, expect, it } from 'vitest';
import type { PreparedFrame, PreparedMedia } from '../../../main/media/media-preparation.ts';
import { packMedia, unpackMedia } from '../../../main/media/packed-media.ts';

const frame = (path: string, read: Partial<PreparedFrame> = {}): PreparedFrame => {
  return { path, file: `/photos/${path}`, identity: null, width: 0, height: 0, related_files: [], ...read };
};
const media = (frames: readonly PreparedFrame[], unread: boolean): PreparedMedia => {
  const numbers = { start_frame: 0, stop_frame: frames.length - 1, frame_step: 1 };
  return { kind: 'images', frames, unread, skipped: [], warnings: [], inPlace: true, ...numbers };
};

describe('media that pass from the worker to the thread that answers', () => {
  it.each([
    [
      'frames that were read before unread ones',
      [frame('a.jpg', { width: 4, height: 3, identity: '1' }), frame('b.jpg')],
    ],
    ['a file that is not an image before unread ones', [frame('a.jpg', { problem: 'a.jpg is text.' }), frame('b.jpg')]],
    ['only unread frames', [frame('a.jpg'), frame('b.jpg'), frame('c/d.jpg')]],
    ['only read frames', [frame('a.jpg', { width: 4, height: 3 })]],
  ])('keep %s', (_, frames) => {
    const listed = media(frames, true);
    expect(unpackMedia(structuredClone(packMedia(listed)))).toEqual(listed);
  });

  it('pass the paths of unread frames as text', () => {
    const packed = packMedia(media([frame('a.jpg', { width: 4, height: 3 }), frame('b.jpg'), frame('c.jpg')], true));
    expect(packed.media).toMatchObject({ frames: [{ path: 'a.jpg' }] });
    expect(packed.paths).toBe('b.jpg\0c.jpg');
  });
});
