import { expect, test } from 'vitest';
import fc from 'fast-check';
import { lineChanges, type LineChange } from '../../../../main/functions/versions/line-changes.ts';

const shown = (before: string, after: string) =>
  lineChanges(before, after).map(
    ({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', skipped: '@' }[kind]}${text}`,
  );

test('equal lines far from a change are skipped and counted', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const changed = lines.with(10, 'another');
  expect(shown(lines.join('\n'), changed.join('\n'))).toEqual([
    '@7',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+another',
    ' line 11',
    ' line 12',
    ' line 13',
    '@6',
  ]);
  expect(shown('a\nb\n', 'a\r\nb')).toEqual([]);
  expect(shown('', 'a\nb\n')).toEqual(['+a', '+b']);
});

test('texts of very many lines are compared quickly, as replaced', () => {
  const text = (mark: string) => Array.from({ length: 30_000 }, (_, index) => `${mark}${index}`).join('\n');
  const changes = lineChanges(text('a'), text('b'));
  expect(changes.filter(({ kind }) => kind === 'removed')).toHaveLength(30_000);
  expect(changes.filter(({ kind }) => kind === 'added')).toHaveLength(30_000);
});

test('changes transform one text into the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  const side = (changes: readonly LineChange[], gone: LineChange['kind'], from: readonly string[]) => {
    const lines: string[] = [];
    for (const { kind, text: line } of changes) {
      if (kind === 'skipped') lines.push(...from.slice(lines.length, lines.length + Number(line)));
      else if (kind !== gone) lines.push(line);
    }
    return lines;
  };
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = lineChanges(before.join('\n'), after.join('\n'));
      if (changes.length === 0) return before.join('\n') === after.join('\n');
      expect(side(changes, 'added', before)).toEqual(before);
      expect(side(changes, 'removed', after)).toEqual(after);
      return true;
    }),
  );
});
