import { t as translate } from 'i18next';
import type { TextKey } from './text-key.ts';

/**
 * Sentences that the canvas makes: their English is their key, so that another language lists them as they stand.
 * A sentence without a translation is shown as it is, with its values filled in.
 */
export const canvasText = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  String(translate(sentence as never, { ...values, defaultValue: sentence, keySeparator: false } as never));

/** What an action is called. */
export const actionText = ({ label, number }: { readonly label: TextKey; readonly number?: number }): string =>
  String(translate(label as never, { number } as never));
