import { expect, it } from 'vitest';
import { decodeText, statedEncoding } from '../../../../main/formats/io/text-encoding.ts';

it.each([
  ['cp936', 'gbk'],
  ['cp932', 'shift_jis'],
  ['CP949', 'euc-kr'],
  ['cp1252', 'windows-1252'],
])('knows the Windows code page %s as %s', (name, encoding) => {
  expect(statedEncoding({ encoding: name })).toBe(encoding);
});

it('reads UTF-16 without a byte order mark in both byte orders', () => {
  const little = Buffer.from('car\nbus\n', 'utf16le');
  expect(decodeText(little, 'classes.txt')).toBe('car\nbus\n');
  expect(decodeText(Buffer.from(little).swap16(), 'classes.txt')).toBe('car\nbus\n');
});
