import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { Button, Dimmed, Group, PasswordInput, Stack, TextInput } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';

const empty = { url: '', model: '', api_key: '', instructions: '' };

/** Adds a vision model behind a chat endpoint in the form of OpenAI. */
export function ChatField() {
  const t = useText();
  const navigate = useNavigate();
  const [form, setForm] = useState(empty);
  const change = (part: Partial<typeof empty>): void => setForm((now) => ({ ...now, ...part }));
  const add = useChange(() => call('addChatModel', { body: { ...form, url: form.url.trim() } }), {
    reloads: [['models', 'list']],
    done: async ({ name }) => {
      notify.success(t('modelFiles.added', { name }));
      await navigate({ to: '/models/$name', params: { name }, ignoreBlocker: true });
    },
  });
  return (
    <Panel title={t('modelFiles.chat')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack gap="sm">
          <Dimmed>{t('modelFiles.chatText')}</Dimmed>
          <Group grow gap="sm" align="flex-start">
            <TextInput
              label={t('modelFiles.chatAddress')}
              placeholder="http://127.0.0.1:8080/v1"
              spellCheck={false}
              value={form.url}
              onChange={(url) => change({ url })}
            />
            <TextInput
              label={t('modelFiles.chatModel')}
              description={t('modelFiles.chatModelHint')}
              spellCheck={false}
              value={form.model}
              onChange={(model) => change({ model })}
            />
          </Group>
          <Group grow gap="sm" align="flex-start">
            <PasswordInput
              label={t('modelFiles.chatKey')}
              description={t('modelFiles.chatKeyHint')}
              autoComplete="off"
              value={form.api_key}
              onChange={(key) => change({ api_key: key })}
            />
            <TextInput
              label={t('modelFiles.chatInstructions')}
              description={t('modelFiles.chatInstructionsHint')}
              value={form.instructions}
              onChange={(instructions) => change({ instructions })}
            />
          </Group>
          {add.isError && <Problem title={t('modelFiles.addFailed')} message={add.error} />}
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={add.isPending} disabled={form.url.trim() === ''}>
              {t('modelFiles.chatAdd')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
