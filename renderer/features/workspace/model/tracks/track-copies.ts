import { added, removed } from '../../../../canvas/changes.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { startTrack } from '../../../../canvas/tracks/keyframe-edit.ts';
import { keyframesOf } from '../../../../canvas/tracks/track-edits.ts';
import type {
  ClientId,
  CommandInput,
  CommandKind,
  RecordChange,
  ShapeRecord,
  TrackRecord,
} from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import type { SessionParts } from '../types.ts';

export interface ChosenObjects {
  readonly tracks: () => TrackRecord[];
  readonly shapes: () => ShapeRecord[];
  readonly run: (
    kind: CommandKind,
    label: NonNullable<CommandInput['label']>,
    changes: readonly RecordChange[],
  ) => void;
}

interface CopiesParts extends Pick<SessionParts, 'engine'> {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly deleted: () => ReadonlySet<number>;
  readonly refuse: (why: TextKey) => void;
  readonly selection: ChosenObjects;
}

const newId = (): ClientId => crypto.randomUUID();

/** Every `step`-th frame from `first` to `last`, forwards or backwards. */
function framesBetween(first: number, last: number, step: number): number[] {
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  const direction = last < first ? -step : step;
  return Array.from({ length: count }, (_, index) => first + index * direction);
}

/**
 * Converts shapes to tracks and tracks to shapes, and copies shapes to other frames. Each is a command with a notice.
 */
export function createTrackCopies({ job, engine, deleted, refuse, selection: chosen }: CopiesParts) {
  const { scene, selection, tracks } = engine;
  /** Frames on which a track becomes shapes: its keyframes, or every `step`-th frame of the job. */
  const framesOf = (track: TrackRecord, step: number | null): readonly number[] =>
    step === null ? keyframesOf(track) : framesBetween(track.frame, job.stop_frame, step);

  return {
    /** Converts each selected shape to a track that starts here. */
    toTrack() {
      const changes = chosen
        .shapes()
        .filter((shape) => !shape.locked)
        .flatMap((shape) => [removed(shape), added(startTrack({ ...shape, clientId: newId() }, engine.isMutable))]);
      if (changes.length === 0) return refuse('canvas.refused.noShape');
      chosen.run('track', text('track.command.toTrack'), changes);
      selection.set(changes.flatMap(({ after }) => after?.clientId ?? []));
    },
    /** Replaces the selected tracks by plain shapes on the chosen frames where they are visible. */
    toShapes(step: number | null) {
      const changes = chosen.tracks().flatMap((track): RecordChange[] => {
        const made = framesOf(track, step).flatMap((frame): RecordChange[] => {
          const seen = tracks.at(track, frame);
          if (seen === null || seen.outside || frame < job.start_frame || frame > job.stop_frame) return [];
          const { trackId: _track, keyframe: _keyframe, serverId: _server, elements, ...shape } = seen;
          const after: ShapeRecord = {
            ...shape,
            clientId: newId(),
            ...(elements === undefined
              ? {}
              : { elements: elements.map((element) => ({ ...element, clientId: newId() })) }),
          };
          return [added(after)];
        });
        return [removed(track), ...made];
      });
      if (changes.length > 0) chosen.run('track', text('track.command.toShapes', { count: changes.length }), changes);
    },
    /** Copies the selected shapes to every `step`-th frame up to `last`. */
    propagate(last: number, step: number): void {
      const frames = framesBetween(scene.frame, last, step)
        .slice(1)
        .filter((frame) => frame >= job.start_frame && frame <= job.stop_frame && !deleted().has(frame));
      const changes = frames.flatMap((frame) =>
        chosen.shapes().map(({ serverId: _server, ...shape }): RecordChange => {
          const elements = shape.elements?.map((element) => ({ ...element, clientId: newId() }));
          const after = { ...shape, clientId: newId(), frame, ...(elements === undefined ? {} : { elements }) };
          return added(after);
        }),
      );
      if (changes.length > 0) chosen.run('other', (count) => text('track.command.propagate', { count }), changes);
    },
  };
}
