/** Overlaps from which a result has found a truth: 0.5 to 0.95, as NumPy's linspace makes them, to the last bit. */
export const iouSteps: readonly number[] = Array.from({ length: 10 }, (_, at) =>
  at === 9 ? 0.95 : 0.5 + at * ((0.95 - 0.5) / 9),
);
