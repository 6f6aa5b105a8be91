import { useState } from 'react';

/** Texts of a form, and what binds each of them to its field. */
export function useTexts<Field extends string>(
  empty: Readonly<Record<Field, string>>,
  clean: (text: string) => string = (text) => text,
) {
  const [values, setValues] = useState(empty);
  const bind = (field: Field, error?: string) => ({
    value: values[field],
    error,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues((before) => ({ ...before, [field]: clean(value) })),
  });
  return { values, bind };
}
