import type { TextFunction } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';

/** How long a call took. */
export const timeText = (ms: number, t: TextFunction): string =>
  ms < 1000
    ? t('modelNumbers.ms', { value: formatNumber(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 }) })
    : t('modelNumbers.s', { value: formatNumber(ms / 1000, { maximumFractionDigits: 2 }) });
