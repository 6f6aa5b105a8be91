import { t as translate, use, type TFunction } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { en } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en };
    returnNull: false;
  }
}

/** Loads the texts; they are in the bundle, so nothing is waited for. */
export const startTranslation = (): void => {
  void use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    ns: ['app'],
    defaultNS: 'app',
    // Keys may hold colons (types of requests).
    nsSeparator: false,
    resources: { en: { app: en } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
};

/** The texts of the chosen language, for components. */
export const useText = () => useTranslation('app').t;
/** For code outside components. */
export const text: TFunction<'app'> = translate;
export type TextFunction = TFunction<'app'>;
