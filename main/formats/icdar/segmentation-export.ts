import { type RgbColor, vocColor } from '../../../preload/contract/colors.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import { encodeBmp } from '../kit/mask-files/bmp-writer.ts';
import { createFramePainter, type PaintedFrame, visibleBoxes } from '../kit/mask-files/frame-painter.ts';
import { colorNumber } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { attributeOf, characterRow, noteLabel, readColor, textAttribute, textOf, unknownCenter } from './text.ts';

const format = 'ICDAR Segmentation';
const white: RgbColor = [255, 255, 255];

interface Character {
  readonly shape: LabeledShape;
  /** Index of the shape on the painted frame, plus one. */
  readonly number: number;
}

/** Position that the file stated for a character in its image. */
function statedIndex(shape: LabeledShape): number {
  const stated = attributeOf(shape, 'index') ?? '';
  return /^\d{1,9}$/.test(stated) ? Number(stated) : Infinity;
}

/** Characters in their stated order. The characters of a group are consecutive, at the group's first position. */
function waitMessage({ instances }: PaintedFrame): Character[][] {
  const characters = instances.flatMap(({ leader, area }, index) =>
    area > 0 ? [{ shape: leader, number: index + 1 }] : [],
  );
  const ordered = characters.toSorted((a, b) => {
    const [first, second] = [statedIndex(a.shape), statedIndex(b.shape)];
    return first === second ? 0 : first - second;
  });
  const words = new Map<number | Character, Character[]>();
  for (const character of ordered) {
    const key = character.shape.group === 0 ? character : character.shape.group;
    const word = words.get(key);
    if (word) word.push(character);
    else words.set(key, [character]);
  }
  return [...words.values()];
}

/** Assigns a color to each character: its stated color if it is free, else an unused one. */
function colorsOf(characters: readonly Character[], report: FormatReport): Map<Character, RgbColor> {
  const colors = new Map<Character, RgbColor>();
  const used = new Set([colorNumber(white)]);
  for (const character of characters) {
    const stated = attributeOf(character.shape, 'color');
    const color = stated === undefined || stated === '' ? undefined : readColor(stated);
    if (color && !used.has(colorNumber(color))) {
      used.add(colorNumber(color));
      colors.set(character, color);
    } else if (stated !== undefined && stated !== '')
      report.dropped(
        'attribute',
        character.shape.label,
        'The color is missing, or another character of the image has it.',
      );
  }
  let next = 1;
  for (const character of characters) {
    if (colors.has(character)) continue;
    while (used.has(colorNumber(vocColor(next)))) next += 1;
    colors.set(character, vocColor(next));
    next += 1;
  }
  return colors;
}

/** Writes ICDAR Segmentation: a mask image in colors and a row per color. The rows of a group are consecutive. */
export const exportIcdarSegmentation: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, {
    attributes: new Set(['index', 'color', textAttribute, 'center']),
    group: true,
    rotation: true,
  });
  notes.tracks(task_data);
  const paint = createFramePainter(report, format, { ignoresGroups: true });

  const centerOf = (shape: LabeledShape): string => {
    const stated = attributeOf(shape, 'center')?.trim() ?? '';
    if (stated === '') return unknownCenter;
    if (/^\S+ \S+$/.test(stated)) return stated;
    report.dropped('attribute', shape.label, `${format} has a center of two numbers.`);
    return unknownCenter;
  };

  const rowsOf = (
    painted: PaintedFrame,
    colors: ReadonlyMap<Character, RgbColor>,
    words: readonly Character[][],
  ): string => {
    const boxes = visibleBoxes(painted);
    let place = 0;
    const textOfWord = (word: readonly Character[]): string =>
      word
        .map((character) => {
          const { shape, number } = character;
          const { type, label } = shape;
          notes.shape(shape);
          noteLabel(shape, type, format, report);
          const stated = statedIndex(shape);
          if (stated !== Infinity && stated !== place)
            report.dropped('attribute', label, 'The index is the position among the rows, so it was renumbered.');
          place += 1;
          if (shape.group !== 0 && word.length === 1)
            report.dropped(type, label, `${format} has words of several characters: a group of one is not a word.`);
          const text = textOf(shape, type, format, report) ?? '';
          const color = colors.get(character) ?? white;
          return characterRow({ color, center: centerOf(shape), text }, boxes[number - 1] ?? []);
        })
        .join('');
    return words.map(textOfWord).join('\n');
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, stem, image }, { zip, text }) {
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has no image-level labels.`);
      const painted = paint(frame);
      const words = painted ? waitMessage(painted) : [];
      const colors = colorsOf(words.flat(), report);
      const file = `${subset}/${stem}_GT`;
      if (painted && words.length > 0) {
        const { width, height, indices, instances } = painted;
        const numbers = new Uint32Array(instances.length + 1).fill(colorNumber(white));
        for (const [{ number }, color] of colors) numbers[number] = colorNumber(color);
        await zip.add(
          `${file}.bmp`,
          encodeBmp(width, height, (index) => numbers[indices[index]!]!),
        );
      }
      await text(`${file}.txt`, painted ? rowsOf(painted, colors, words) : '');
      return [`${subset}/images/${image}`];
    },
  });
};
