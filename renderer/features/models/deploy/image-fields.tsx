import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { modelImageSchema } from '../../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Autocomplete } from '../../../ui/kit.ts';
import type { DraftProps } from './deploy-draft.ts';

type Image = z.output<typeof modelImageSchema>;

/** Unique names of the Engine's images, without those that Limner built for functions. */
export function imageChoices(images: readonly Image[], first: readonly string[] = []): string[] {
  const names = images.flatMap((image) => image.names).filter((name) => !name.startsWith('limner-function/'));
  return [...new Set([...first, ...names.toSorted()])];
}

export function ImageField({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const images = useQuery({ ...modelQueries.images(), retry: false });
  const choices = draft.imported.length > 0 ? [...draft.imported] : imageChoices(images.data ?? []);
  return (
    <Autocomplete
      label={t('modelDeploy.image')}
      description={t('modelDeploy.imageHint')}
      placeholder={t('modelDeploy.imagePlaceholder')}
      data={choices}
      value={draft.image}
      onChange={(image) => onChange({ image })}
      error={errors['image']}
    />
  );
}
