/** Languages that are complete; each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
/** 'system': the first of the system's languages that there is, English where there is none. */
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

/** Which language is shown for a choice. */
export function languageOf(choice: LanguageChoice, tags: readonly string[] = systemTags()): Language {
  if (choice !== 'system') return choice;
  return tags.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Keeps both choices. A full store costs them at the next start, nothing else. */
export function keepLanguage(language: LanguageChoice, numbers: NumberChoice): void {
  try {
    globalThis.localStorage?.setItem(languageKey, language);
    globalThis.localStorage?.setItem(numberKey, numbers);
  } catch {
    // It holds in this window.
  }
}

/** The locale of numbers and dates: a language as it is, or as the system's own region writes it. */
export function locale(): string {
  const language = languageOf(languageChoice());
  const [own] = systemTags();
  if (numberChoice() === 'system' && own !== undefined) return own;
  return systemTags().find((tag) => tag.startsWith(`${language}-`) && language !== 'en') ?? language;
}

/** A number as people write it: `1,234.5` or `1.234,5`. */
export const formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(locale(), options).format(value);

/** With exactly so many digits after the point or comma. */
export const formatFixed = (value: number, digits: number): string =>
  formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
