import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Dimmed, TextInput } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { ConfigurationEditor } from './deploy/configuration-editor.tsx';
import { linesOf } from './deploy/finding.ts';

/** Adds a function that runs elsewhere and responds at an address. */
export function EndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [configuration, setConfiguration] = useState('');
  const add = useChange(() => call('addEndpoint', { body: { url: url.trim(), configuration } }), {
    reloads: [['models', 'list']],
    done: async ({ name }) => {
      notify.success(t('modelElsewhere.added', { name }));
      onClose();
      await navigate({ to: '/models/$name', params: { name } });
    },
  });
  const { of, rest } = fieldErrors(add.error, ['url', 'configuration']);
  return (
    <FormDialog
      title={t('modelElsewhere.endpoint')}
      size="lg"
      submit={t('modelElsewhere.add')}
      change={add}
      onClose={onClose}
      isReady={url.trim() !== '' && configuration.trim() !== ''}
      error={rest}
    >
      <Dimmed>{t('modelElsewhere.endpointText')}</Dimmed>
      <TextInput
        label={t('modelElsewhere.url')}
        placeholder={t('modelElsewhere.urlPlaceholder')}
        data-autofocus
        required
        spellCheck={false}
        value={url}
        onChange={setUrl}
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
    </FormDialog>
  );
}
