import { useQuery } from '@tanstack/react-query';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Autocomplete } from '../../../ui/kit.ts';
import type { DraftProps } from './draft-props.ts';
import { imageChoices } from './image-choices.ts';

/** Which image of the Engine the function runs. */
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
