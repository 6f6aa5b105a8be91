import i18next, { changeLanguage, t as translate, use, type FormatterModule, type TFunction } from 'i18next';
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

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en };
    returnNull: false;
  }
}

/** Counts are written as the locale has them; what is no count (frames, numbers of jobs, ports) stays as it is. */
const counts: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, _language, options) =>
    typeof value === 'number' && options?.['interpolationkey'] === 'count' ? formatNumber(value) : String(value ?? ''),
};
/** All but English is fetched when it is wanted. */
const loaders: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  de: async () => (await import('./de.json')).default,
};

async function show(language: Language): Promise<void> {
  if (language !== 'en') i18next.addResourceBundle(language, 'app', await loaders[language](), true, true);
  await changeLanguage(language);
  globalThis.document?.documentElement.setAttribute('lang', language);
}

/** Loads the texts. English is in the bundle; where another language cannot be fetched, English is shown. */
export async function startTranslation(): Promise<void> {
  void use(initReactI18next)
    .use(counts)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      ns: ['app'],
      defaultNS: 'app',
      // Keys may hold colons (types of requests).
      nsSeparator: false,
      resources: { en: { app: en } },
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    });
  await show(languageOf(languageChoice())).catch(() => changeLanguage('en'));
}

/** Another language from now on, in this window and the next ones. Rejects, and changes nothing, where it cannot be fetched. */
export async function chooseLanguage(language: LanguageChoice, numbers: NumberChoice): Promise<void> {
  await show(languageOf(language));
  keepLanguage(language, numbers);
}

/** The texts of the chosen language, for components. */
export const useText = () => useTranslation('app').t;
/** For code outside components. */
export const text: TFunction<'app'> = translate;
export type TextFunction = TFunction<'app'>;
