import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { FormatReport } from './report.ts';
import type { FrameInfo, TaskData } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

/** File systems store at most 255 bytes per name. */
const longestBytes = 255;
/** Leaves room for what formats add to a name, such as `_gtFine_labelIds.png`. */
const shortBytes = 200;
const listed = 3;

/** A name that is longer than a file system can store gets a short one, which is unique by its hash. */
function shortSegment(segment: string): string {
  if (segment.length * 4 <= longestBytes || Buffer.byteLength(segment) <= longestBytes) return segment;
  const extension = /^\.[a-z0-9]{1,5}$/i.test(posix.extname(segment)) ? posix.extname(segment) : '';
  const end = `~${createHash('sha256').update(segment).digest('hex').slice(0, 8)}${extension}`;
  // A cut character decodes to U+FFFD.
  const start = Buffer.from(segment)
    .subarray(0, shortBytes - end.length)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${start}${end}`;
}

const shortName = (name: string): string =>
  name.length * 4 <= longestBytes ? name : name.split('/').map(shortSegment).join('/');

/** Wraps the task for an exporter, whose files can be unpacked on every system. `finish` reports shortened names. */
export function withShortNames(task_data: TaskData, report: FormatReport) {
  const shortened = new Set<string>();
  const named = <Info extends FrameInfo>(info: Info): Info => {
    const name = shortName(info.name);
    if (name === info.name) return info;
    shortened.add(info.name);
    return { ...info, name };
  };
  const view = withOverrides(task_data, {
    get frames() {
      const { frames } = task_data;
      return {
        *[Symbol.iterator]() {
          for (const info of frames) yield named(info);
        },
      };
    },
    frame_info(frame) {
      const info = task_data.frame_info(frame);
      return info && named(info);
    },
    *group_by_frame(includeEmpty) {
      for (const frame of task_data.group_by_frame(includeEmpty)) yield named(frame);
    },
  });
  return {
    task_data: view,
    finish(): void {
      if (shortened.size === 0) return;
      const names = [...shortened].slice(0, listed).map((name) => `"${name.slice(0, 60)}…"`);
      report.warn(
        `${shortened.size} image names are longer than 255 bytes, which no file system stores: they were shortened, for example ${names.join(', ')}.`,
      );
    },
  };
}
