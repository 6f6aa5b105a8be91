import type { Source } from '../io/source.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { amongFiles, detectRows, isWithinReach } from '../kit/detection.ts';
import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import type { Detector } from '../kit/plugin.ts';
import { readCharacterRow } from './text.ts';
import { exportIcdarLocalization, findTextFiles, importIcdarLocalization, readTextRow } from './localization.ts';
import { exportIcdarRecognition, findWordFiles, importIcdarRecognition, readWordRow } from './recognition.ts';
import { exportIcdarSegmentation } from './segmentation-export.ts';
import { findCharacterFiles, importIcdarSegmentation } from './segmentation-import.ts';

const sampledFiles = 10;

interface Files {
  readonly find: (source: Source) => readonly { readonly path: string }[];
  /** Returns the row, or a string with the reason if the line is not one. */
  readonly read: (line: string) => unknown;
  readonly what: string;
}

const detectFiles = ({ find, read, what }: Files): Detector =>
  amongFiles(async (source) => {
    const paths = find(source).flatMap(({ path }) => (isWithinReach(path) ? [path] : []));
    const [first] = paths;
    if (first === undefined) return null;
    const row = (line: string): unknown => (line.trim() === '' ? undefined : (read(line) ?? true));
    return detectRows(source, paths.slice(0, sampledFiles), row, {
      reason: `${first} has rows of ${what}.`,
      empty: { reason: `${first} has the file name of the format, but is empty.`, confidence: 0.5 },
    });
  });

const detectRecognition = detectFiles({
  // MOT has a file with this name, in its own folder.
  find: (source) => findWordFiles(source).filter(({ path }) => !/(^|\/)gt\/gt\.txt$/.test(path)),
  read: readWordRow,
  what: 'images and texts in quotes',
});
const detectLocalization = detectFiles({ find: findTextFiles, read: readTextRow, what: 'corners and texts' });
const detectSegmentation = detectFiles({
  find: findCharacterFiles,
  read: readCharacterRow,
  what: 'colors and characters',
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
