import type { Attribute } from '../kit/task-data.ts';

/** A character of attribute text; true if a backslash precedes it. */
interface Character {
  readonly value: string;
  readonly isEscaped: boolean;
}

const escapable = new Set(['\\', '=', '"', ',']);

function charactersOf(text: string): Character[] {
  const characters: Character[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const next = text[at + 1];
    const isEscape = text[at] === '\\' && next !== undefined && escapable.has(next);
    if (isEscape) at += 1;
    characters.push({ value: text[at] ?? '', isEscaped: isEscape });
  }
  return characters;
}

function trimmed(characters: readonly Character[]): readonly Character[] {
  const isSpace = ({ value, isEscaped }: Character): boolean => !isEscaped && /\s/.test(value);
  let start = 0;
  let end = characters.length;
  while (start < end && isSpace(characters[start]!)) start += 1;
  while (end > start && isSpace(characters[end - 1]!)) end -= 1;
  return characters.slice(start, end);
}

function plain(characters: readonly Character[]): string {
  return characters.map(({ value }) => value).join('');
}

function isMark(character: Character | undefined, mark: string): boolean {
  return character?.value === mark && !character.isEscaped;
}

function readValue(characters: readonly Character[]): string {
  const value = trimmed(characters);
  const isQuoted = value.length > 1 && isMark(value[0], '"') && isMark(value.at(-1), '"');
  if (isQuoted) return plain(value.slice(1, -1));
  const text = plain(value);
  return /^(true|false)$/i.test(text) ? text.toLowerCase() : text;
}

/**
 * Parses `name=value, name2=value2`. A name alone is true, a backslash escapes special characters, and quotes mark
 * texts that look like numbers.
 */
export function readAttributeText(text: string): Attribute[] {
  const attributes: Attribute[] = [];
  let part: Character[] = [];
  const finish = (): void => {
    const whole = trimmed(part);
    part = [];
    if (whole.length === 0) return;
    const equals = whole.findIndex((character) => isMark(character, '='));
    const name = plain(trimmed(equals < 0 ? whole : whole.slice(0, equals)));
    if (name !== '') attributes.push({ name, value: equals < 0 ? 'true' : readValue(whole.slice(equals + 1)) });
  };
  for (const character of charactersOf(text)) {
    if (isMark(character, ',')) finish();
    else part.push(character);
  }
  finish();
  return attributes;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\=",]/g, (mark) => `\\${mark}`);
}

/** Without quotes, numbers and leading or trailing spaces would be read differently. */
function needsQuotes(value: string): boolean {
  return value !== value.trim() || (value !== '' && String(Number(value)) === value) || /^-?\d+\.0$/.test(value);
}

/** Writes attributes; `isText` returns true for attributes whose numbers are texts. */
export function writeAttributeText(attributes: readonly Attribute[], isText: (name: string) => boolean): string {
  return attributes
    .map(({ name, value }) => {
      const isQuoted = needsQuotes(value) && (isText(name) || value !== value.trim());
      return `${escaped(name)}=${isQuoted ? `"${escaped(value)}"` : escaped(value)}`;
    })
    .join(', ');
}
