import { describe, expect, it } from 'vitest';
import de from '../../../../renderer/i18n/de.json' with { type: 'json' };
import en from '../../../../renderer/i18n/en.json' with { type: 'json' };
import { languageOf } from '../../../../renderer/i18n/language.ts';

type Texts = { readonly [key: string]: string | Texts };

const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{.+?\}\}/g) ?? [])].toSorted();

describe.each([['de', de]] as const)('%s', (language, given) => {
  const english = new Map(flat(en));
  const own = new Map(flat(given));

  it('has every text of English and no other', () => {
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it('has the same place holders, and no empty text', () => {
    const differing = [...own].filter(
      ([key, text]) => text === '' || placeholders(text).join() !== placeholders(english.get(key) ?? '').join(),
    );
    expect(differing).toEqual([]);
  });

  it('has all plural forms that the language has', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const stems = [...own.keys()].filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6));
    expect(stems.flatMap((stem) => forms.filter((form) => !own.has(`${stem}_${form}`)).map(() => stem))).toEqual([]);
  });
});

it('the language at the first start is the first available one of the system’s, otherwise English', () => {
  expect(languageOf('system', ['fr-FR', 'de-AT', 'en-GB'])).toBe('de');
  expect(languageOf('system', ['fr-FR'])).toBe('en');
  expect(languageOf('de', ['en-US'])).toBe('de');
});
