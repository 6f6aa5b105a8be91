import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Hint, Text, TextInput, useDebouncedValue } from '../../../ui/kit.ts';

/** Asks for a name and opens the new project, where its labels are edited. */
export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [settled] = useDebouncedValue(name.trim(), 250);
  const namesakes = useQuery({ ...queries.projectsNamed(settled), enabled: settled !== '' });
  const isTaken = settled !== '' && settled === name.trim() && (namesakes.data ?? 0) > 0;
  const create = useChange(() => call('createProject', { body: { name: name.trim() } }), {
    reloads: ['projects'],
    done: async (project) => {
      onClose();
      await navigate({
        to: '/projects/$projectId',
        params: { projectId: String(project.id) },
        search: { tab: 'labels' },
      });
    },
  });
  return (
    <FormDialog
      title={t('projects.new')}
      submit={t('common.create')}
      change={create}
      onClose={onClose}
      isReady={name.trim() !== ''}
      error=""
    >
      <TextInput
        label={t('common.name')}
        placeholder={t('projects.namePlaceholder')}
        data-autofocus
        maxLength={256}
        value={name}
        onChange={setName}
        error={create.error?.message}
      />
      {isTaken && (
        <Text fz="sm" role="status">
          {t('projects.namesake', { name: settled })}
        </Text>
      )}
      <Hint>{t('projects.labelsLater')}</Hint>
    </FormDialog>
  );
}
