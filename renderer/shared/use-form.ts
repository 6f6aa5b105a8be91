import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../i18n/index.ts';
import { ask } from '../ui/confirm.tsx';

export function useTexts<Field extends string>(
  empty: Readonly<Record<Field, string>>,
  clean: (text: string) => string = (text) => text,
) {
  const [values, setValues] = useState(empty);
  const bind = (field: Field, error?: string) => ({
    value: values[field],
    error,
    onChange: (value: string) => setValues((before) => ({ ...before, [field]: clean(value) })),
  });
  return { values, bind };
}

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
