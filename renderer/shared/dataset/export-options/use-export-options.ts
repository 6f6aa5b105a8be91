import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DatasetExportOptions } from '../../../../preload/contract/schema/export-options.ts';
import { queries } from '../../../api/queries.ts';
import { useDebouncedValue } from '../../../ui/kit.ts';

/** Debounce delay, milliseconds: long enough to type a number, short enough to feel immediate. */
export const restMs = 300;

interface ExportRequest {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number };
  readonly format: string | null;
  /** Frames of a video without annotations are already left out. */
  readonly onlyAnnotated: boolean;
}

export type ExportOptionsState = ReturnType<typeof useExportOptions>;

export function useExportOptions({ target, format, onlyAnnotated }: ExportRequest) {
  const [isOpen, setOpen] = useState(false);
  const [exportOptions, setExportOptions] = useState<DatasetExportOptions>({});
  const [leavesEmptyOut, setLeavesEmptyOut] = useState(false);
  const isStated = Object.keys(exportOptions).length > 0;
  const [resting] = useDebouncedValue(exportOptions, restMs);
  const requestOptions = { export_options: resting, only_annotated_frames: onlyAnnotated || leavesEmptyOut };
  const preview = useQuery({
    ...queries.exportPreview(target.kind, target.id, {
      format: format ?? '',
      ...requestOptions,
    }),
    enabled: format !== null && (isOpen || isStated || leavesEmptyOut),
    placeholderData: keepPreviousData,
  });
  return {
    isOpen,
    setOpen,
    exportOptions,
    change(changes: { readonly [Name in keyof DatasetExportOptions]?: DatasetExportOptions[Name] | undefined }): void {
      const stated = Object.entries({ ...exportOptions, ...changes }).filter(([, value]) => value !== undefined);
      // Drops undefined members.
      setExportOptions(Object.fromEntries(stated) as DatasetExportOptions);
    },
    replace: setExportOptions,
    leavesEmptyOut,
    setLeavesEmptyOut,
    preview,
    requestOptions,
    /** In the service's format; undefined if nothing is chosen. */
    stated: isStated ? JSON.stringify(exportOptions) : undefined,
  };
}
