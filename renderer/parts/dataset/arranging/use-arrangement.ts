import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Arrangement } from '../../../../preload/contract/schema/arrangement.ts';
import { queries } from '../../../api/queries.ts';
import { useDebouncedValue } from '../../../ui/kit.ts';

/** Debounce delay, milliseconds: long enough to type a number, short enough to feel immediate. */
export const restMs = 300;

interface Asked {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number };
  readonly format: string | null;
  /** Frames of a video without annotations are already left out. */
  readonly onlyAnnotated: boolean;
}

export type Arranging = ReturnType<typeof useArrangement>;

/** The chosen export options and the service's counts for them. */
export function useArrangement({ target, format, onlyAnnotated }: Asked) {
  const [isOpen, setOpen] = useState(false);
  const [arrangement, setArrangement] = useState<Arrangement>({});
  const [leavesEmptyOut, setLeavesEmptyOut] = useState(false);
  const isStated = Object.keys(arrangement).length > 0;
  const [resting] = useDebouncedValue(arrangement, restMs);
  const asked = { arrangement: resting, only_annotated_frames: onlyAnnotated || leavesEmptyOut };
  const preview = useQuery({
    ...queries.exportPreview(target.kind, target.id, {
      format: format ?? '',
      ...asked,
    }),
    enabled: format !== null && (isOpen || isStated || leavesEmptyOut),
    placeholderData: keepPreviousData,
  });
  return {
    isOpen,
    setOpen,
    arrangement,
    /** Undefined removes an option. */
    change(changes: { readonly [Name in keyof Arrangement]?: Arrangement[Name] | undefined }): void {
      const stated = Object.entries({ ...arrangement, ...changes }).filter(([, value]) => value !== undefined);
      // Drops undefined members.
      setArrangement(Object.fromEntries(stated) as Arrangement);
    },
    replace: setArrangement,
    leavesEmptyOut,
    setLeavesEmptyOut,
    preview,
    asked,
    /** In the service's format; undefined if nothing is chosen. */
    stated: isStated ? JSON.stringify(arrangement) : undefined,
  };
}
