import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach, readHead } from '../kit/detection.ts';
import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import type { Detector } from '../kit/plugin.ts';
import { readCharacterRow } from './characters.ts';
import { exportIcdarLocalization, findTextFiles, importIcdarLocalization, readTextRow } from './localization.ts';
import { exportIcdarRecognition, findWordFiles, importIcdarRecognition, readWordRow } from './recognition.ts';
import { exportIcdarSegmentation } from './segmentation-export.ts';
import { findCharacterFiles, importIcdarSegmentation } from './segmentation-import.ts';

const sampledFiles = 10;
const sampledRows = 20;

interface Files {
  readonly find: (source: Source) => readonly { readonly path: string }[];
  /** A sentence for a line that is none of the format's. */
  readonly read: (line: string) => unknown;
  readonly what: string;
}

const detectFiles = ({ find, read, what }: Files): Detector =>
  amongFiles(async (source) => {
    const files = find(source).filter(({ path }) => isWithinReach(path));
    const [first] = files;
    if (!first) return null;
    let rows = 0;
    let good = 0;
    for (const { path } of files.slice(0, sampledFiles)) {
      for (const line of splitLines(await readHead(source, path, 16 * 1024)).slice(0, sampledRows)) {
        if (line.trim() === '') continue;
        rows += 1;
        if (typeof read(line) !== 'string') good += 1;
      }
    }
    if (rows === 0)
      return { reason: `${first.path} is called as a file of the format, and is empty.`, confidence: 0.5 };
    return good === 0 ? null : { reason: `${first.path} has rows of ${what}.`, confidence: (0.95 * good) / rows };
  });

const detectRecognition = detectFiles({
  // MOT has a file of this name, in a folder of its own.
  find: (source) => findWordFiles(source).filter(({ path }) => !/(^|\/)gt\/gt\.txt$/.test(path)),
  read: readWordRow,
  what: 'images and texts in quotes',
});
const detectLocalization = detectFiles({ find: findTextFiles, read: readTextRow, what: 'corners and texts' });
const detectSegmentation = detectFiles({
  find: findCharacterFiles,
  read: readCharacterRow,
  what: 'colours and characters',
});

export const icdarRecognition = defineFormat({
  name: 'ICDAR Recognition',
  version: '1.0',
  support: { tag: 'both', attribute: 'partial' },
  detect: detectRecognition,
  read: importIcdarRecognition,
  write: exportIcdarRecognition,
});

export const icdarLocalization = defineFormat({
  name: 'ICDAR Localization',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon'],
    converted: ['rotated rectangle', 'track'],
    partial: ['attribute'],
  }),
  detect: detectLocalization,
  read: importIcdarLocalization,
  write: exportIcdarLocalization,
});

export const icdarSegmentation = defineFormat({
  name: 'ICDAR Segmentation',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectSegmentation,
  read: importIcdarSegmentation,
  write: exportIcdarSegmentation,
});
