import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DatasetExportOptions } from '../../../../preload/contract/schema/export-options.ts';
import { queries } from '../../../api/queries.ts';
import { useDebouncedValue } from '../../../ui/kit.ts';

/** Debounce delay, milliseconds: long enough to type a number, short enough to feel immediate. */
export const restMs = 300;

interface OperationQuery {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number };
  readonly format: string | null;
  /** Frames of a video without annotations are already left out. */
  readonly onlyAnnotated: boolean;
}

export type ExportOptionsState = ReturnType<typeof useExportOptions>;

/** The chosen export options and the service's counts for them. */
export function useExportOptions({ target, format, onlyAnnotated }: OperationQuery) {
  const [isOpen, setOpen] = useState(false);
  const [arrangement, setExportOptions] = useState<DatasetExportOptions>({});
  const [leavesEmptyOut, setLeavesEmptyOut] = useState(false);
  const isStated = Object.keys(arrangement).length > 0;
  const [resting] = useDebouncedValue(arrangement, restMs);
  const operationQuery = { arrangement: resting, only_annotated_frames: onlyAnnotated || leavesEmptyOut };
  const preview = useQuery({
    ...queries.exportPreview(target.kind, target.id, {
      format: format ?? '',
      ...operationQuery,
    }),
    enabled: format !== null && (isOpen || isStated || leavesEmptyOut),
    placeholderData: keepPreviousData,
  });
  return {
    isOpen,
    setOpen,
    arrangement,
    /** Undefined removes an option. */
    change(changes: { readonly [Name in keyof DatasetExportOptions]?: DatasetExportOptions[Name] | undefined }): void {
      const stated = Object.entries({ ...arrangement, ...changes }).filter(([, value]) => value !== undefined);
      // Drops undefined members.
      setExportOptions(Object.fromEntries(stated) as DatasetExportOptions);
    },
    replace: setExportOptions,
    leavesEmptyOut,
    setLeavesEmptyOut,
    preview,
    operationQuery,
    /** In the service's format; undefined if nothing is chosen. */
    stated: isStated ? JSON.stringify(arrangement) : undefined,
  };
}
