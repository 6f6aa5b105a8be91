import { AppError } from '../../platform/errors.ts';
import { LabelError } from '../kit/annotation-checks.ts';
import { rebuildTrack, TrackConflictError } from '../kit/track-rebuilder.ts';
import { LeftOutError } from '../kit/label-mapping.ts';
import type { FormatReport } from '../kit/report.ts';
import type { LabeledShape, TaskData } from '../kit/task-data.ts';
import type { CocoLabel } from './coco-tables.ts';

interface TrackShapes {
  readonly label: CocoLabel;
  readonly at: string;
  readonly shapes: LabeledShape[];
}

export interface TrackCollectorOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  readonly addSingle: (shape: LabeledShape, label: CocoLabel) => void;
}

/** Collects shapes that have a track id and builds the tracks at the end. */
export function createTrackCollector({ file, task_data, report, addSingle }: TrackCollectorOptions) {
  const tracks = new Map<string, TrackShapes>();
  const hasFrame = (frame: number): boolean => task_data.frame_info(frame) !== undefined;

  const finishTrack = ({ label, at, shapes }: TrackShapes): void => {
    try {
      task_data.add_track(rebuildTrack(shapes, { label: task_data.label(label.name), hasFrame }));
      report.included('track', label.name);
    } catch (error) {
      if (error instanceof LabelError || error instanceof LeftOutError) {
        report.dropped('track', label.name, error.message);
      } else if (error instanceof TrackConflictError) {
        report.invalid(file, at, `${error.message} The shapes of the track were imported as single shapes.`);
        for (const shape of shapes) addSingle(shape, label);
      } else if (error instanceof AppError && error.code === 'invalid') report.invalid(file, at, error.message);
      else throw error;
    }
  };

  return {
    add(trackId: number, shape: LabeledShape, label: CocoLabel, at: string): void {
      const key = `${trackId} ${label.name}`;
      const track = tracks.get(key);
      if (track) track.shapes.push(shape);
      else tracks.set(key, { label, at, shapes: [shape] });
    },
    finish(): void {
      for (const track of tracks.values()) finishTrack(track);
      tracks.clear();
    },
  };
}
