import { taskFrame } from '../kit/task-frame.ts';
import type { FormatReport } from '../kit/report.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';
import { fieldOf, type Row, type Table } from './read-row.ts';

export interface TableFrames {
  /** The frame that a row is about; undefined, and counted, where the task has none. */
  find(row: Row): FrameInfo | undefined;
  /** Reports the images whose rows were left out. */
  finish(): void;
}

/** Finds the frames of a table's rows: by the image's name, or by the frame's number where there is no name. */
export function createTableFrames(table: Table, path: string, task_data: TaskData, report: FormatReport): TableFrames {
  const missing = new Map<string, { line: number; count: number }>();
  // Rows of one image follow each other.
  let last: { readonly key: string; readonly info: FrameInfo | undefined } | undefined;
  const lookUp = (name: string, number: string, subset: string): FrameInfo | undefined => {
    const frame =
      name === ''
        ? taskFrame(task_data, number)
        : task_data.match_frame({ name, ...(subset === '' ? {} : { subset }) });
    return frame === null ? undefined : task_data.frame_info(frame);
  };
  return {
    find({ fields, line }) {
      const name = fieldOf(table, fields, 'image');
      const number = fieldOf(table, fields, 'frame');
      const subset = fieldOf(table, fields, 'subset');
      const key = `${name}\u0000${number}\u0000${subset}`;
      if (last?.key !== key) last = { key, info: lookUp(name, number, subset) };
      if (last.info) return last.info;
      const shown = name === '' ? `frame ${number}` : `image "${name.slice(0, 200)}"`;
      const known = missing.get(shown);
      if (known) known.count += 1;
      else missing.set(shown, { line, count: 1 });
      return undefined;
    },
    finish() {
      for (const [shown, { line, count }] of missing)
        report.bad(path, `line ${line}`, `${shown} is not in the task: its ${count} rows were left out`);
    },
  };
}
