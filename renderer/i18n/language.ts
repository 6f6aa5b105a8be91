/** Complete languages, by their native names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
/** 'system': the first of the system's languages that Limner has, otherwise English. */
export type LanguageChoice = Language | 'system';
/** Language or region whose number and date formats are used. */
export type NumberChoice = 'language' | 'system';

const languageKey = 'limner.language';
const numberKey = 'limner.numbers';

// The keys of the table are the languages.
export const languageIds = Object.keys(languages) as Language[];
const isLanguage = (text: string): text is Language => text in languages;

const systemTags = (): readonly string[] => globalThis.navigator?.languages ?? [];

export function languageChoice(): LanguageChoice {
  const kept = globalThis.localStorage?.getItem(languageKey) ?? '';
  return isLanguage(kept) ? kept : 'system';
}

export const numberChoice = (): NumberChoice =>
  globalThis.localStorage?.getItem(numberKey) === 'system' ? 'system' : 'language';

/** Resolves 'system'. */
export function languageOf(choice: LanguageChoice, tags: readonly string[] = systemTags()): Language {
  if (choice !== 'system') return choice;
  return tags.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Saves both choices. If the browser's storage is full, they last until the window closes. */
export function keepLanguage(language: LanguageChoice, numbers: NumberChoice): void {
  try {
    globalThis.localStorage?.setItem(languageKey, language);
    globalThis.localStorage?.setItem(numberKey, numbers);
  } catch {
    // The choice applies to this window.
  }
}

/** Locale of numbers and dates: the language, or the system's region. */
export function locale(): string {
  const language = languageOf(languageChoice());
  const [own] = systemTags();
  if (numberChoice() === 'system' && own !== undefined) return own;
  return systemTags().find((tag) => tag.startsWith(`${language}-`) && language !== 'en') ?? language;
}

/** Formats a number by the locale: `1,234.5` or `1.234,5`. */
export const formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(locale(), options).format(value);

/** Formats a number with a fixed number of decimals. */
export const formatFixed = (value: number, digits: number): string =>
  formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
