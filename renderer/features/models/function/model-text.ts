import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import type { TextFunction } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';

export const timeText = (ms: number, t: TextFunction): string =>
  ms < 1000
    ? t('modelNumbers.ms', { value: formatNumber(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 }) })
    : t('modelNumbers.s', { value: formatNumber(ms / 1000, { maximumFractionDigits: 2 }) });

const mebibyte = 2 ** 20;

/** Memory limits are powers of two: `512 MiB`, `1.5 GiB`. */
export function memoryText(sizeBytes: number): string {
  const size = sizeBytes / mebibyte;
  if (size < 1024) return `${formatNumber(size, { maximumFractionDigits: size < 10 ? 1 : 0 })} MiB`;
  return `${formatNumber(size / 1024, { maximumFractionDigits: 1 })} GiB`;
}

export const kindText = ({ kind }: Pick<ModelFunction, 'kind'>, t: TextFunction): string =>
  kind === null ? t('models.noModel') : t(`models.kind.${kind}`);

/** `Waiting, number 3 in line`, for the GPU queue. */
export const placeText = ({ position }: NonNullable<ModelFunction['waiting']>, t: TextFunction): string =>
  t('models.waiting', { place: position });

/** GPUs with their known memory; empty for a function without any. */
export function gpuText({ gpu, workers }: Pick<ModelFunction, 'gpu' | 'workers'>, t: TextFunction): string {
  if (gpu.count === 0) return '';
  const each = gpu.declared_mib ?? gpu.measured_mib;
  const cards = t('models.gpuCount', { count: gpu.count });
  return each === null ? cards : `${cards}, ${t('models.mib', { count: each * workers })}`;
}
