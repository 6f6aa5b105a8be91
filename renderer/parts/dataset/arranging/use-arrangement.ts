import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Arrangement } from '../../../../preload/contract/schema/arrangement.ts';
import { queries } from '../../../api/queries.ts';
import { useDebouncedValue } from '../../../ui/kit.ts';

/** Long enough that a number is typed to its end, short enough to look at once. */
export const restMs = 300;

interface Asked {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number };
  readonly format: string | null;
  /** Frames of a video without annotations are left out already. */
  readonly onlyAnnotated: boolean;
}

export type Arranging = ReturnType<typeof useArrangement>;

/** What the person chose of an export's options, and what the service counts for it. */
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
    /** An option that is undefined is as if it had not been asked. */
    change(changes: { readonly [Name in keyof Arrangement]?: Arrangement[Name] | undefined }): void {
      const stated = Object.entries({ ...arrangement, ...changes }).filter(([, value]) => value !== undefined);
      // Members of an arrangement, without those that say nothing.
      setArrangement(Object.fromEntries(stated) as Arrangement);
    },
    replace: setArrangement,
    leavesEmptyOut,
    setLeavesEmptyOut,
    preview,
    /** As the service is asked: what has come to rest. */
    asked,
    /** As the service takes it; undefined where nothing is chosen. */
    stated: isStated ? JSON.stringify(arrangement) : undefined,
  };
}
