type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** What of an object is said: members that are undefined are left out. */
export const defined = <Values extends object>(values: Values): Defined<Values> =>
  // The type says what the filter does.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
