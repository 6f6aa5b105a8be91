import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  interpolateTrack,
  InterpolationError,
  type InterpolatedShape,
  type Keyframe,
  type KeyframedTrack,
} from '../../preload/geometry/interpolation.ts';

interface VectorFile {
  cases: {
    name: string;
    start_frame: number;
    end_frame_exclusive: number;
    dimension: '2d' | '3d';
    options: { include_outside?: boolean; deleted_frames?: number[]; included_frames?: number[] };
    track: KeyframedTrack;
    expected?: Keyframe[];
    expected_error?: string;
  }[];
}

/** Tests interpolation against a file of tracks and their shapes on every frame. */
export function interpolationVectors(path: string): void {
  // The file is the reference; the interface above describes its shape.
  const vectors = (JSON.parse(readFileSync(path, 'utf8')) as VectorFile).cases;
  /** The server turns by 1° if keyframes are 180° apart; this program turns by 180°, like CVAT's client. */
  const halfTurns = new Map([
    ['rect_rotation_0_180', [0, 45, 90, 135, 180]],
    ['rect_rotation_180_0', [180, 225, 270, 315, 0]],
    ['rect_rotation_90_270', [90, 135, 180, 225, 270]],
  ]);

  it.each(vectors.map((vector) => [vector.name, vector] as const))('agree: %s', (name, vector) => {
    const { options } = vector;
    const run = (): InterpolatedShape[] => [
      ...interpolateTrack(vector.track, vector.start_frame, vector.end_frame_exclusive, {
        dimension: vector.dimension,
        ...(options.include_outside === undefined ? {} : { includeOutside: options.include_outside }),
        ...(options.deleted_frames === undefined ? {} : { deletedFrames: new Set(options.deleted_frames) }),
        ...(options.included_frames === undefined ? {} : { includedFrames: new Set(options.included_frames) }),
      }),
    ];
    if (vector.expected === undefined) {
      expect(run).toThrow(InterpolationError);
      return;
    }
    const shapes = run();
    const turns = halfTurns.get(name);
    expect(shapes).toHaveLength(vector.expected.length);
    shapes.forEach((shape, index) => {
      const { points, rotation, ...expected } = vector.expected![index]!;
      expect(shape).toMatchObject(expected);
      expect(shape.rotation).toBeCloseTo(turns?.[index] ?? rotation, 10);
      expect(shape.points).toHaveLength(points.length);
      shape.points.forEach((value, place) => expect(value).toBeCloseTo(points[place]!, 9));
    });
  });
}
