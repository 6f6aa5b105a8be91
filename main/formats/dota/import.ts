import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { findFrame } from '../kit/find-frame.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { splitLines } from '../io/text-lines.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { difficultyAttributes, isHeaderLine, isTellingRow, readDotaRow } from './row.ts';

const maxFileBytes = 64 * 1024 * 1024;

/** `train/labelTxt-v1.5/a/1.txt`: the subset is the folder before, the image is called as what comes behind. */
function placeOf(path: string): { subset: string; stem: string; isInFolder: boolean } {
  const match = /^(?:(?:.*\/)?([^/]+)\/)?labelTxt[^/]*\/(.+)$/i.exec(path);
  return { subset: match?.[1] ?? 'default', stem: withoutExtension(match?.[2] ?? path), isInFolder: match !== null };
}

/** Text files beside others in an archive are of this format when their first row is. */
function isOfFormat(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '' && !isHeaderLine(line));
  return first !== undefined && isTellingRow(first);
}

export const importDota: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  await readImageFiles({
    source,
    task_data,
    options,
    isFile: (path) => /\.txt$/i.test(path),
    needs: 'rows of DOTA: text files with four corners, a label and a difficulty on each line, in a folder labelTxt',
    read: async (path) => {
      const { subset, stem, isInFolder } = placeOf(path);
      const lines = splitLines(await source.read(path, maxFileBytes));
      if (!isInFolder && !isOfFormat(lines)) {
        report.warn(`${path} was left out: its rows are not four corners, a label and a difficulty.`);
        return false;
      }
      if (lines.some(isHeaderLine))
        report.warn('Where images are from and how large their pixels are (imagesource, gsd) was left out.');
      const rows = [...lines.entries()].filter(([, line]) => line.trim() !== '' && !isHeaderLine(line));
      if (rows.length === 0) return true;
      const info = findFrame(task_data, [`${stem}.png`], subset);
      if (!info) {
        report.bad(path, 'line 1', `image "${stem}" is not in the task: its ${rows.length} objects were left out`);
        return true;
      }
      const add = createAnnotationAdder(task_data, report, path);
      for (const [index, line] of rows) {
        const at = `line ${index + 1}`;
        const row = readDotaRow(line);
        if (typeof row === 'string') report.bad(path, at, row);
        else
          add.shape(
            plainShape({
              type: 'rectangle',
              ...row.outline,
              frame: info.frame,
              label: row.label,
              attributes: difficultyAttributes(row, task_data.label(row.label)),
            }),
            at,
          );
      }
      return true;
    },
  });
};
