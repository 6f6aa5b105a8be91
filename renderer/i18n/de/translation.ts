/** The same keys as the English texts, each with another text: a key that is missing, or one too many, does not compile. */
export type Translation<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : Translation<Texts[Key]>;
};
