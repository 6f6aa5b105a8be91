import type { CommandKind, RecordChange, ShapeRecord, TrackRecord } from '../../../canvas/types.ts';

/** What is selected, and how a command about it is run. */
export interface ChosenObjects {
  readonly tracks: () => TrackRecord[];
  /** Plain shapes. */
  readonly shapes: () => ShapeRecord[];
  readonly run: (kind: CommandKind, label: string, changes: readonly RecordChange[]) => void;
}
