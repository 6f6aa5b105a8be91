import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ChoiceRow } from './field-row.tsx';

interface FramesOption {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number; readonly isVideo?: boolean };
  readonly saveImages: boolean;
  /** From the format; null if its plug-in does not declare if frames may be left out. */
  readonly stills: boolean | null | undefined;
}

/** Exported frames of a video: only annotated ones for still-image formats. */
export function useExportFrames({ target, saveImages, stills }: FramesOption) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOffered = saveImages && target.isVideo === true && target.kind !== 'project' && stills !== false;
  const onlyAnnotated = isOffered && (chosen ?? stills === true);
  const kind = target.kind === 'job' ? 'job' : 'task';
  const { data } = useQuery({
    ...queries.frameCount(kind, target.id, { annotated: true }),
    enabled: isOffered && stills !== undefined,
  });
  return {
    isOffered: isOffered && stills !== undefined,
    onlyAnnotated,
    /** False if the file would be empty. */
    hasFrames: !onlyAnnotated || data?.count !== 0,
    counted: data ?? null,
    choose: setChosen,
  };
}

export function ExportFramesRow({ frames }: { readonly frames: ReturnType<typeof useExportFrames> }) {
  const t = useText();
  const { isOffered, onlyAnnotated, counted, hasFrames, choose } = frames;
  if (!isOffered) return null;
  const number = (value: number | undefined) => (value === undefined ? '…' : String(value));
  return (
    <ChoiceRow
      label={t('exporting.frames')}
      note={hasFrames ? undefined : t('exporting.noAnnotatedFrame')}
      value={onlyAnnotated ? 'annotated' : 'all'}
      onChange={(value) => choose(value === 'annotated')}
      choices={[
        { value: 'annotated', label: t('exporting.annotatedFrames', { number: number(counted?.count) }) },
        { value: 'all', label: t('exporting.allFrames', { number: number(counted?.total) }) },
      ]}
    />
  );
}
