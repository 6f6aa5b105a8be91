import { useBlocker } from '@tanstack/react-router';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';

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
