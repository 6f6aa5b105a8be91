import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { smallFileRows } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { amongFiles, isWithinReach, readHead } from '../kit/detection.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { findFrame } from '../kit/find-frame.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { splitLines } from '../io/text-lines.ts';
import { categories, readVisDroneRow } from './rows.ts';

const place = /^(?:(?:.*\/)?([^/]+)\/)?annotations\/(.+)\.txt$/;

/** VisDrone's images: a text file for each, `annotations/<image>.txt`, with a row for each box. */
export const importVisDrone: DatasetReader = async (source, task_data, options) => {
  const { report } = options;

  const read = async (path: string): Promise<boolean> => {
    const [, subset = 'default', below] = place.exec(path) ?? [];
    const stem = below ?? withoutExtension(path);
    const rows = await smallFileRows(source, path, options);
    const add = createAnnotationAdder(task_data, report, path);
    let frame: ReturnType<typeof findFrame>;
    for (const [line, number] of rows) {
      const at = `line ${number}`;
      const row = readVisDroneRow(line);
      if (row === undefined) continue;
      frame ??= findFrame(task_data, [`${stem}.jpg`], subset);
      if (typeof row === 'string') report.bad(path, at, row);
      else if (!frame) report.bad(path, at, `image "${stem}" is not in the task`);
      else {
        const { label, points, score, isTruncated, occlusion } = row;
        if (occlusion > 1) report.lost('rectangle', label, 'Degrees of occlusion become one flag.');
        const attributes = [
          ...(isTruncated ? [{ name: 'truncated', value: 'true' }] : []),
          ...(score === 0 && label !== categories[0] ? [{ name: 'ignored', value: 'true' }] : []),
        ];
        const shape = { type: 'rectangle' as const, frame: frame.frame, label, points, attributes };
        const own = score > 0 && score < 1 ? { score } : {};
        add.shape(plainShape({ ...shape, occluded: occlusion > 0, ...own }), at);
      }
    }
    return true;
  };

  const needs = 'rows of VisDrone: text files with eight numbers on each line, in a folder annotations';
  await readImageFiles({ source, task_data, options, isFile: (path) => place.test(path), needs, read });
};

export const detectVisDrone = amongFiles(async (source) => {
  let rows = 0;
  let good = 0;
  const paths = source.entries.map(({ path }) => path).filter((path) => place.test(path) && isWithinReach(path));
  for (const path of paths.slice(0, 10)) {
    for (const line of splitLines(await readHead(source, path, 16 * 1024)).slice(0, 20)) {
      const row = readVisDroneRow(line);
      if (row === undefined) continue;
      rows += 1;
      if (typeof row === 'object') good += 1;
    }
  }
  const reason = `${paths[0]} lies in a folder annotations and has rows of eight numbers, as VisDrone has.`;
  return good === 0 ? null : { reason, confidence: (0.95 * good) / rows };
});
