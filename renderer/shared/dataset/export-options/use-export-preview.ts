import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../../api/queries.ts';
import { useDebouncedValue } from '../../../ui/kit.ts';
import type { OptionValues } from '../option-fields.tsx';
import { restMs, type ExportOptionsState } from './use-export-options.ts';

interface FramePreviewRequest {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number };
  readonly format: string | null;
  readonly values: OptionValues;
  readonly arranging: ExportOptionsState;
}

export type FramePreviews = ReturnType<typeof useFramePreview>;

/** Preview of one frame in the export, reloaded after a debounced change. */
export function useFramePreview({ target, format, values, arranging }: FramePreviewRequest) {
  const [place, setPlace] = useState(0);
  const [options] = useDebouncedValue(values, restMs);
  const picture = useQuery({
    ...queries.exportPicture(target.kind, target.id, {
      ...arranging.requestOptions,
      format: format ?? '',
      options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== '')),
      place,
    }),
    enabled: format !== null && arranging.isOpen,
    placeholderData: keepPreviousData,
  });
  // Fewer frames may remain than the current index.
  if (place > 0 && picture.data?.frame === null && !picture.isPlaceholderData) setPlace(0);
  return {
    target,
    picture,
    place,
    step: (by: number): void => setPlace(Math.max(0, place + by)),
  };
}
