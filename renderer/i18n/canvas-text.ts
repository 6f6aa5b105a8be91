import { t as translate } from 'i18next';

/**
 * Sentences that the canvas makes: their English is their key, so that another language lists them as they stand.
 * A sentence without a translation is shown as it is, with its values filled in.
 */
export const canvasText = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  String(translate(sentence as never, { ...values, defaultValue: sentence, keySeparator: false } as never));

/** Names of actions: `actions.<id>` where a language has it, else the English of the table of actions. */
export const actionText = (action: { readonly id: string; readonly label: string }): string =>
  String(translate(`actions.${action.id}` as never, { defaultValue: action.label } as never));
