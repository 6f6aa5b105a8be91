import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Modal, Stack, Text, TextInput } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { ConfigurationEditor } from './configuration-editor.tsx';
import { linesOf } from './finding.ts';

/** Adds a function that runs elsewhere and answers at an address. */
export function EndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const [configuration, setConfiguration] = useState('');
  const add = useMutation({
    mutationFn: () => call('addEndpoint', { body: { url: url.trim(), configuration } }),
    onSuccess: async ({ name }) => {
      notify.success(t('modelElsewhere.added', { name }));
      void client.invalidateQueries({ queryKey: ['models', 'list'] });
      onClose();
      await navigate({ to: '/models/$name', params: { name } });
    },
  });
  const { of, rest } = fieldErrors(add.error, ['url', 'configuration']);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('modelElsewhere.endpoint')} size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text fz="sm" c="dimmed">
            {t('modelElsewhere.endpointText')}
          </Text>
          <TextInput
            label={t('modelElsewhere.url')}
            placeholder={t('modelElsewhere.urlPlaceholder')}
            data-autofocus
            required
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={of.url}
          />
          <ConfigurationEditor
            label={t('modelElsewhere.configuration')}
            value={configuration}
            onChange={setConfiguration}
            badLines={linesOf((of.configuration ?? '').split('\n'))}
            error={of.configuration}
            rows={12}
          />
          {rest !== '' && (
            <Text c="red" fz="sm" role="alert">
              {rest}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={url.trim() === '' || configuration.trim() === ''}>
              {t('modelElsewhere.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
