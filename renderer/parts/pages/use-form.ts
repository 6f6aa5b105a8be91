import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';

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

/** While something is not saved: asks before the part of the page, the page or the window is left. */
export function useUnsaved(isChanged: boolean, what: string): void {
  const t = useText();
  useBlocker({
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
    shouldBlockFn: async () =>
      !(await ask({
        title: t('pages.leaveTitle'),
        text: t('pages.leaveText', { what }),
        confirm: t('pages.leave'),
        cancel: t('pages.stay'),
      })),
  });
}
