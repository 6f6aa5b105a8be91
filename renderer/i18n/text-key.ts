import type en from './en.json';

type Plural<Key extends string> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key;
type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Plural<Key> : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Key of a text. */
export type TextKey = KeyOf<typeof en>;
