import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { settingsFileName, settingsOf, type ModelFile } from '../../../../preload/contract/schema/model-files.ts';
import { call } from '../../../api/client.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Dimmed, Group, QuietButton, Stack, TextInput } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { DescriptionFields } from './description-fields.tsx';

export function DescriptionTab({ name }: { readonly name: string }) {
  const model = useQuery({ ...modelQueries.modelFile(name), refetchOnMount: 'always' });
  return <Loaded query={model}>{(loaded) => <Form key={JSON.stringify(loaded)} model={loaded} />}</Loaded>;
}

function Form({ model }: { readonly model: ModelFile }) {
  const t = useText();
  const { name } = model;
  const [title, setTitle] = useState(model.title);
  const [description, setDescription] = useState(model.description);
  const isChanged = title !== model.title || JSON.stringify(description) !== JSON.stringify(model.description);
  useUnsaved(isChanged, t('pages.unsavedForm'));
  const save = useChange(
    () => call('updateModelFile', { params: { name }, body: { title: title.trim(), description } }),
    { reloads: ['models'], done: () => notify.success(t('modelFiles.saved', { name })) },
  );
  const restore = (): void => {
    setTitle(model.title);
    setDescription(model.description);
    save.reset();
  };
  return (
    <Stack gap="md" maw={520}>
      <Dimmed>{t('modelFiles.changeText')}</Dimmed>
      <TextInput size="xs" label={t('modelFiles.titleField')} value={title} maxLength={256} onChange={setTitle} />
      <DescriptionFields description={description} onChange={setDescription} />
      <FormError text={save.error?.message} />
      <Group gap="sm">
        <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
          {t('common.save')}
        </Button>
        <QuietButton disabled={!isChanged} onClick={restore}>
          {t('modelFiles.restore')}
        </QuietButton>
        <QuietButton disabled={isChanged} onClick={() => exportSettings(model)}>
          {t('modelFiles.exportSettings')}
        </QuietButton>
      </Group>
    </Stack>
  );
}

function exportSettings(model: ModelFile): void {
  const content = `${JSON.stringify(settingsOf(model), null, 2)}\n`;
  saveFile(settingsFileName(model.file_name), new Blob([content], { type: 'application/json' }));
}
