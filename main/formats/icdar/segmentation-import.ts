import { type AnnotationAdder, createAnnotationAdder } from '../kit/add-annotation.ts';
import { labelOfAll, readDatasetFiles, smallFileRows, someOf } from '../kit/dataset-files.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { colorNumber } from '../kit/mask-files/label-colors.ts';
import { createUnknownValues, describeColor, nothing, tryReadImage, trySplit } from '../kit/mask-files/read-classes.ts';
import type { MaskImage } from '../kit/mask-files/read-image.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { FrameInfo } from '../kit/task-data.ts';
import {
  type CharacterRow,
  createSubsetPlaces,
  icdarFileLabel,
  icdarLabel,
  readCharacterRow,
  type SubsetPlace,
  textAttribute,
  unknownCenter,
} from './text.ts';

const format = 'ICDAR Segmentation';
const white = 0xffffff;

/** `<subset>/<image>_GT.txt` at any depth. */
export function findCharacterFiles(source: Source): { readonly path: string }[] {
  return source.entries.filter(({ path }) => /[^/]_GT\.txt$/.test(path) && !isSystemFile(path));
}

interface Character extends CharacterRow {
  readonly line: number;
  /** Number shared by the characters of a word; undefined for a single character. */
  word: number | undefined;
}

/** Reads the rows of a file. Empty lines separate words; a single character is not a word. */
function readCharacters(
  lines: readonly (readonly [row: string, lineNumber: number])[],
  onBad: (line: number, reason: string) => void,
): Character[] {
  const characters: Character[] = [];
  const colors = new Set<number>();
  let word: Character[] = [];
  let words = 0;
  const endWord = (): void => {
    if (word.length > 1) words += 1;
    for (const character of word) character.word = word.length > 1 ? words : undefined;
    word = [];
  };
  for (const [text, line] of lines) {
    if (text.trim() === '') {
      endWord();
      continue;
    }
    const row = readCharacterRow(text);
    if (row === undefined) continue;
    if (typeof row === 'string') {
      onBad(line, row);
      continue;
    }
    const color = colorNumber(row.color);
    if (color === white || colors.has(color)) {
      onBad(line, color === white ? 'white is the background' : 'another row has the same color');
      continue;
    }
    colors.add(color);
    const character = { ...row, line, word: undefined };
    characters.push(character);
    word.push(character);
  }
  endWord();
  return characters;
}

function findImage(source: Source, path: string): string | undefined {
  const stem = path.slice(0, -'.txt'.length);
  return ['.bmp', '.BMP', '.png'].map((extension) => `${stem}${extension}`).find((image) => source.has(image));
}

/** Reads ICDAR Segmentation: pixels of each character by color. Characters of a word become a group. */
export const importIcdarSegmentation: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  let label: string | undefined;
  let placeOf: ((path: string) => SubsetPlace) | undefined;

  const splitImage = (image: MaskImage, characters: readonly Character[], path: string) => {
    const places = new Map(characters.map(({ color }, index) => [colorNumber(color), index]));
    const unknown = createUnknownValues(report, describeColor(true));
    const placeAt = (index: number): number => {
      const value = image.isColor ? image.valueAt(index) : image.valueAt(index) * 0x010101;
      const place = places.get(value);
      if (place === undefined && value !== white) unknown.count(value);
      return place ?? nothing;
    };
    const found = trySplit(image, placeAt, path, report);
    unknown.finish(path, 'colors belong to no row');
    return found;
  };

  const addCharacters = (
    path: string,
    found: ReturnType<typeof splitImage>,
    characters: readonly Character[],
    frame: FrameInfo,
    add: AnnotationAdder,
  ): void => {
    const groups = new Map<number, number>();
    const target = (label ??= labelOfAll(task_data, icdarLabel, options));
    for (const [index, { color, center, text, line, word }] of characters.entries()) {
      const at = `line ${line}`;
      const points = found.get(index)?.points;
      if (!points) {
        report.invalid(path, at, 'the image has no pixel of this color');
        continue;
      }
      const group = word === undefined ? 0 : (groups.get(word) ?? masks.nextGroup());
      if (word !== undefined) groups.set(word, group);
      const attributes = [
        { name: 'index', value: String(index) },
        { name: 'color', value: color.join(' ') },
        ...(text === '' ? [] : [{ name: textAttribute, value: text }]),
        ...(center === unknownCenter ? [] : [{ name: 'center', value: center }]),
      ];
      masks.add(add, points, { frame: frame.frame, label: target, attributes, group }, at);
    }
  };

  await readDatasetFiles(source, task_data, options, {
    format,
    needs: 'files such as train/image_GT.txt',
    find: () => someOf(findCharacterFiles(source)),
    async read({ path }) {
      task_data.declare_label?.(icdarFileLabel(['index', 'color', textAttribute, 'center']));
      placeOf ??= createSubsetPlaces(source, task_data);
      const { subset, rest } = placeOf(path);
      const characters = readCharacters(await smallFileRows(source, path, options), (line, reason) =>
        report.invalid(path, `line ${line}`, reason),
      );
      const count = characters.length;
      if (count === 0) return undefined;
      const image = rest.replace(/_GT\.txt$/, '.jpg');
      const frame = findFrame(task_data, [image], subset, path);
      if (!frame) return report.invalid(path, 'line 1', notInTask(image, count, 'characters'));
      const imagePath = findImage(source, path);
      if (imagePath === undefined)
        return report.invalid(path, 'line 1', `the mask image is missing: ${count} characters were left out`);
      const mask = await tryReadImage(source, imagePath, report);
      if (!mask) return undefined;
      sizes.compare(imagePath, mask, frame);
      const add = createAnnotationAdder(task_data, report, path);
      return addCharacters(path, splitImage(mask, characters, imagePath), characters, frame, add);
    },
  });
  sizes.finish();
};
