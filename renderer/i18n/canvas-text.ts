import { t as translate } from 'i18next';
import type { TextKey } from './text-key.ts';

type Values = Readonly<Record<string, string | number | undefined>>;

/** Translates a key that the canvas names. Any text is possible, so the types cannot say which values it needs. */
export const canvasText = (key: TextKey, values: Values = {}): string =>
  String(translate(key as never, values as never));

interface NamedAction {
  readonly label: TextKey;
  readonly number?: number;
  readonly name?: string;
}

export const actionText = ({ label, number, name }: NamedAction): string => canvasText(label, { number, name });
