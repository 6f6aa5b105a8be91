import type { en } from './en.ts';

type Plural<Key extends string> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key;
type KeyOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Plural<Key> : `${Key}.${KeyOf<Texts[Key]>}`;
}[keyof Texts & string];

/** What a text is asked for by. */
export type TextKey = KeyOf<typeof en>;

/** The same keys as the English texts, each with another text: a key that is missing, or one too many, does not compile. */
export type Translation<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Translation<Texts[Key]>;
};
