import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Weights } from '../../../../preload/contract/schema/weights.ts';
import { call } from '../../../api/client.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Dimmed, Group, QuietButton, Stack, TextInput } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { DescriptionFields } from './description-fields.tsx';

export function DescriptionTab({ name }: { readonly name: string }) {
  const weights = useQuery({ ...modelQueries.weights(name), refetchOnMount: 'always' });
  return <Loaded query={weights}>{(loaded) => <Form key={JSON.stringify(loaded)} weights={loaded} />}</Loaded>;
}

function Form({ weights }: { readonly weights: Weights }) {
  const t = useText();
  const client = useQueryClient();
  const { name } = weights;
  const [title, setTitle] = useState(weights.title);
  const [description, setDescription] = useState(weights.description);
  const isChanged = title !== weights.title || JSON.stringify(description) !== JSON.stringify(weights.description);
  const save = useMutation({
    mutationFn: () => call('updateWeights', { params: { name }, body: { title: title.trim(), description } }),
    async onSuccess() {
      notify.success(t('modelWeights.saved', { name }));
      await client.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const restore = (): void => {
    setTitle(weights.title);
    setDescription(weights.description);
    save.reset();
  };
  return (
    <Stack gap="md" maw={520}>
      <Dimmed>{t('modelWeights.changeText')}</Dimmed>
      <TextInput
        size="xs"
        label={t('modelWeights.titleField')}
        value={title}
        maxLength={256}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <DescriptionFields description={description} onChange={setDescription} />
      <FormError text={save.error?.message} />
      <Group gap="sm">
        <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
          {t('common.save')}
        </Button>
        <QuietButton disabled={!isChanged} onClick={restore}>
          {t('modelWeights.restore')}
        </QuietButton>
      </Group>
    </Stack>
  );
}
