import i18next, { changeLanguage, t as translate, use, type FormatterModule } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import en from './en.json';
import {
  formatNumber,
  keepLanguage,
  languageChoice,
  languageOf,
  type Language,
  type LanguageChoice,
  type NumberChoice,
} from './language.ts';
import type { TextKey } from './text-key.ts';

/** Formats counts by the locale. Other numbers (frames, job numbers, ports) stay unformatted. */
const counts: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, _language, options) =>
    typeof value === 'number' && options?.['interpolationkey'] === 'count' ? formatNumber(value) : String(value ?? ''),
};
/** English is in the bundle; other languages are loaded on demand. */
const loaders: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  de: async () => (await import('./de.json')).default,
};

async function show(language: Language): Promise<void> {
  if (language !== 'en') i18next.addResourceBundle(language, 'app', await loaders[language](), true, true);
  await changeLanguage(language);
  globalThis.document?.documentElement.setAttribute('lang', language);
}

/** Loads the texts. Shows English if another language cannot be loaded. */
export async function startTranslation(): Promise<void> {
  void use(initReactI18next)
    .use(counts)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      ns: ['app'],
      defaultNS: 'app',
      // Keys contain colons, for example the types of background requests.
      nsSeparator: false,
      resources: { en: { app: en } },
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    });
  await show(languageOf(languageChoice())).catch(() => changeLanguage('en'));
}

/** Changes the language of this window and later ones. Rejects, without a change, if it cannot be loaded. */
export async function chooseLanguage(language: LanguageChoice, numbers: NumberChoice): Promise<void> {
  await show(languageOf(language));
  keepLanguage(language, numbers);
}

type Values = Readonly<Record<string, string | number | null | undefined>>;
/**
 * Returns the text of a key in the language of the window. i18next's type for it derives every text from the JSON file
 * on its first use, which took the compiler seconds.
 */
export type TextFunction = (key: TextKey, ...values: [] | [Values]) => string;
/** Translation function for components; they render again when the language changes. */
export const useText = (): TextFunction => useTranslation('app').t;
/** Translation function for code outside components. */
export const text: TextFunction = translate;

// Under `npm run dev` a changed text shows without a reload of the page.
import.meta.hot?.accept(['./en.json', './de.json'], (changed) => {
  for (const [index, language] of (['en', 'de'] as const).entries()) {
    const texts = changed[index]?.['default'] as object | undefined;
    if (texts !== undefined) i18next.addResourceBundle(language, 'app', texts, true, true);
  }
  void changeLanguage(i18next.language);
});
