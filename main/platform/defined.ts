type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Omits members that are undefined. */
export const defined = <Values extends object>(values: Values): Defined<Values> =>
  // The type describes the filter.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
