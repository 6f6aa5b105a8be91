import { describe, expect, it } from 'vitest';
import { createFrameMatcher } from '../../../main/formats/kit/frame-matcher.ts';

function matcherOf(names: readonly string[], isVideo = false, startFrame = 0, frameStep = 1) {
  const frames = names.map((name, frame) => ({ frame, name }));
  return createFrameMatcher({ frames: () => frames, isVideo, startFrame, frameStep }).match_frame;
}

describe('matching of an image in a file to a frame', () => {
  it('matches the same path; frame 0 is found like any other', () => {
    const match = matcherOf(['a.jpg', 'b/a.jpg', 'b/c.png']);
    expect(['a.jpg', 'b/a.jpg', 'b/c.png', './a.jpg', '/a.jpg', 'b\\c.png'].map((name) => match({ name }))).toEqual([
      0, 1, 2, 0, 0, 2,
    ]);
  });

  it('matches the same path without its extension', () => {
    const match = matcherOf(['a.jpg', 'b/c.v2.png']);
    expect(['a', 'a.txt', 'b/c.v2', 'b/c.v2.xml'].map((name) => match({ name }))).toEqual([0, 0, 1, 1]);
  });

  it('ignores additional leading folders on either side', () => {
    const match = matcherOf(['data/train/a.jpg', 'data/val/b.jpg', 'c.jpg']);
    expect(match({ name: 'train/a.jpg' })).toBe(0);
    expect(match({ name: 'b.jpg' })).toBe(1);
    expect(match({ name: 'images/val2017/c.jpg' })).toBe(2);
    expect(match({ name: 'http://host/path/c.jpg' })).toBe(2);
    expect(match({ name: 'ain/a.jpg' })).toBeNull();
  });

  it('prefers the longest end of the path', () => {
    const match = matcherOf(['a.jpg', 'x/a.jpg']);
    expect(match({ name: 'data/x/a.jpg' })).toBe(1);
    expect(match({ name: 'data/y/a.jpg' })).toBe(0);
  });

  it('matches none if several fit equally', () => {
    const match = matcherOf(['x/a.jpg', 'y/a.jpg', 'b.jpg', 'b.png']);
    expect(match({ name: 'a.jpg' })).toBeNull();
    expect(match({ name: 'b' })).toBeNull();
    expect(match({ name: 'b.png' })).toBe(3);
  });

  it('compares names by Unicode equivalence, not by their bytes', () => {
    expect(matcherOf(['a\u0308.jpg'])({ name: '\u00e4.jpg' })).toBe(0);
  });

  it('accepts addresses, and another case, if no name fits exactly', () => {
    const match = matcherOf(['set/a b.jpg', 'IM0.JPG', 'im1.jpg', 'IM1.jpg']);
    expect(match({ name: 'https://example.org/set/a%20b.jpg?x=1#y' })).toBe(0);
    expect(match({ name: 'set/a%20b.jpg' })).toBe(0);
    expect(match({ name: 'im0.jpg' })).toBe(1);
    expect(['im1.jpg', 'IM1.jpg', 'Im1.jpg'].map((name) => match({ name }))).toEqual([2, 3, null]);
  });

  it('prefers the nearest to the annotation file, if several have the name', () => {
    const match = matcherOf(['cam1/images/1.jpg', 'cam2/images/1.jpg', 'other/x.jpg', 'set/x.jpg', 'set/y/x.jpg']);
    expect(match({ name: '1.jpg', near: 'cam1/labels/1.txt' })).toBe(0);
    expect(match({ name: '1.jpg', near: 'cam2/labels/1.txt' })).toBe(1);
    expect(match({ name: '1.jpg', near: 'labels/1.txt' })).toBeNull();
    expect(match({ name: '1.jpg', near: '1.json' })).toBeNull();
    expect(match({ name: 'x.jpg', near: 'set/ann.json' })).toBe(3);
    expect(match({ name: 'y/x.jpg', near: 'other/ann.json' })).toBe(4);
  });

  it('ignores the folders of another machine, if those of the task contradict nothing', () => {
    const match = matcherOf(['images/a.jpg', 'images/b.jpg', 'cam1/c.jpg', 'val/d.jpg']);
    expect(match({ name: '/data/upload/3/a.jpg' })).toBe(0);
    expect(match({ name: 'D:\\pictures of me\\b.jpg' })).toBe(1);
    expect(match({ name: '/data/cam2/c.jpg' })).toBeNull();
    expect(match({ name: '/data/train/d.jpg' })).toBeNull();
    expect(match({ name: 'cam1/a.jpg' })).toBeNull();
  });

  it('matches numbers only if names are numbers', () => {
    const images = matcherOf(['first.jpg', 'second.jpg']);
    expect(images({ name: '1' })).toBe(1);
    expect(images({ name: '000001' })).toBe(1);
    expect(images({ name: '000001.jpg' })).toBeNull();
    expect(images({ name: '7' })).toBeNull();
    expect(images({ frame: 0 })).toBe(0);
    expect(images({ name: 'unknown.jpg', frame: 1 })).toBe(1);
    expect(images({ frame: 5 })).toBeNull();
    expect(images({})).toBeNull();
  });

  it('counts in source frames if the name begins with frame_', () => {
    const video = matcherOf(['frame_000010', 'frame_000013', 'frame_000016'], true, 10, 3);
    expect(video({ name: 'frame_000013.PNG' })).toBe(1);
    expect(video({ name: 'frame_13' })).toBe(1);
    expect(video({ name: 'frame_12' })).toBeNull();
    expect(video({ name: '2.jpg' })).toBe(2);
  });

  it('searches its own subset first', () => {
    const frames = [
      { frame: 0, name: 'a.jpg', subset: 'train' },
      { frame: 1, name: 'a.jpg', subset: 'val' },
      { frame: 2, name: 'b.jpg', subset: 'val' },
    ];
    const match = createFrameMatcher({ frames: () => frames, isVideo: false }).match_frame;
    expect(match({ name: 'a.jpg', subset: 'val' })).toBe(1);
    expect(match({ name: 'a.jpg', subset: 'train' })).toBe(0);
    expect(match({ name: 'b.jpg', subset: 'train' })).toBe(2);
    expect(match({ name: 'a.jpg', subset: 'other' })).toBeNull();
    expect(match({ name: 'a.jpg' })).toBeNull();
  });

  it('reports a name that fits several, unless a further name decides', () => {
    const frames = ['x/a.jpg', 'y/a.jpg'].map((name, frame) => ({ frame, name }));
    const { match_frame: match, match_notes: notes } = createFrameMatcher({ frames: () => frames, isVideo: false });
    expect(match({ name: 'a.jpg' })).toBeNull();
    expect(match({ name: 'y/a.jpg', isGuess: true })).toBe(1);
    expect(notes()).toEqual([]);
    expect(match({ name: 'a.png' })).toBeNull();
    expect(notes().join()).toContain('"a.png"');
  });

  it('finds one among very many without a full search every time', () => {
    let reads = 0;
    const { match_frame: match } = createFrameMatcher({
      isVideo: false,
      *frames() {
        reads += 1;
        for (let frame = 0; frame < 120_000; frame += 1) yield { frame, name: `folder ${frame % 100}/${frame}.jpg` };
      },
    });
    const nameOf = (frame: number): string =>
      frame % 2 === 0 ? `folder ${frame % 100}/${frame}.jpg` : `extra/folder ${frame % 100}/${frame}`;
    const numbers = Array.from({ length: 120_000 }, (_, frame) => frame);
    expect(numbers.filter((frame) => match({ name: nameOf(frame) }) !== frame)).toEqual([]);
    expect(reads).toBeLessThan(5);
  });
});
