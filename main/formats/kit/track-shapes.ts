import { createAnnotationAdder } from './add-annotation.ts';
import { rebuildTrack, TrackConflictError } from './track-rebuilder.ts';
import type { FormatReport } from './report.ts';
import type { LabeledShape, TaskData } from './task-data.ts';

interface Series {
  readonly file: string;
  readonly at: string;
  readonly shapes: LabeledShape[];
}

/** Collects shapes with a track id and `keyframe`, and builds the tracks at the end. */
export function createTrackShapes(task_data: TaskData, report: FormatReport) {
  const series = new Map<string, Series>();
  const hasFrame = (frame: number): boolean => task_data.frame_info(frame) !== undefined;

  const finishOne = ({ file, at, shapes }: Series): void => {
    const adder = createAnnotationAdder(task_data, report, file);
    try {
      const label = task_data.label(shapes[0]?.label ?? '');
      adder.track(rebuildTrack(shapes, { label, hasFrame }), at);
    } catch (error) {
      if (!(error instanceof TrackConflictError)) throw error;
      report.invalid(file, at, `${error.message} The shapes of the track were imported as single shapes.`);
      for (const { keyframe: _keyframe, ...shape } of shapes) adder.shape(shape, at);
    }
  };

  return {
    add(trackId: number | string, shape: LabeledShape, file: string, at: string): void {
      const key = `${trackId}\u0000${shape.label}`;
      const known = series.get(key);
      if (known) known.shapes.push(shape);
      else series.set(key, { file, at, shapes: [shape] });
    },
    finish(): void {
      for (const one of series.values()) finishOne(one);
      series.clear();
    },
  };
}

export type TrackShapes = ReturnType<typeof createTrackShapes>;
