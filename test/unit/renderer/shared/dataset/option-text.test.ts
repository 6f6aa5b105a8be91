import { expect, test } from 'vitest';
import { createFormatCatalog } from '../../../../../main/formats/format-catalog.ts';
import type { FormatOptions } from '../../../../../preload/contract/schema/formats.ts';
import en from '../../../../../renderer/i18n/en.json' with { type: 'json' };

function textsOf({ importers, exporters }: FormatOptions): string[] {
  return [...importers, ...exporters].flatMap(({ options }) =>
    options.flatMap((option) => [
      option.title,
      ...(option.description === undefined ? [] : [option.description]),
      ...(option.kind === 'choice' ? option.choices.map(({ title }) => title) : []),
    ]),
  );
}

test('every text of the options of built-in formats can be translated, and no other is kept', async () => {
  const texts = new Set(textsOf(await createFormatCatalog().described()));
  expect([...texts].sort()).toEqual(Object.values(en.formatOptions).sort());
});
