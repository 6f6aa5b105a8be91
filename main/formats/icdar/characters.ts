import type { RgbColor } from '../../../preload/contract/colors.ts';
import { unquoted } from './text.ts';

/** A row of a character: its colour on the image of masks, its centre as the file has it, and its text. */
export interface CharacterRow {
  readonly color: RgbColor;
  /** Two words; `- -` where it is not known. */
  readonly center: string;
  readonly text: string;
}

export const unknownCenter = '- -';

/** A colour as three numbers with spaces between, or undefined. */
export function readColor(text: string): RgbColor | undefined {
  const channels = text.trim().split(/\s+/);
  if (channels.length !== 3 || !channels.every((channel) => /^\d{1,3}$/.test(channel) && Number(channel) <= 255))
    return undefined;
  const [red = 0, green = 0, blue = 0] = channels.map(Number);
  return [red, green, blue];
}

/** Colour, centre and box: nine words. */
const numbersOfRow = /^(?:\S+\s+){8}\S+(?=\s|$)/;

/** Reads a row, or says why it cannot be read. Undefined for a remark. */
export function readCharacterRow(line: string): CharacterRow | string | undefined {
  const text = line.trim();
  const isMarked = text.startsWith('#');
  const row = isMarked ? text.slice(1).trimStart() : text;
  const words = numbersOfRow.exec(row)?.[0];
  const [red, green, blue, x, y] = words?.split(/\s+/) ?? [];
  const color = words === undefined ? undefined : readColor(`${red} ${green} ${blue}`);
  if (words === undefined || !color) {
    if (isMarked) return undefined;
    return 'a row has a colour of three numbers, a centre of two, a box of four, and a character in quotes';
  }
  const stated = row.slice(words.length).trim();
  // A mark in front says that the character is a space.
  return { color, center: `${x} ${y}`, text: isMarked ? ' ' : (unquoted(stated) ?? stated) };
}

export function characterRow({ color, center, text }: CharacterRow, box: readonly number[]): string {
  return `${text === ' ' ? '#' : ''}${[...color, center, ...box].join(' ')} "${text}"\n`;
}
