import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { FormError } from '../../ui/form.tsx';
import { Button, Dimmed, Group, Hint, Modal, Mono, Stack, Text, TextInput, ChoiceField } from '../../ui/kit.ts';
import { joined } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';

const emptyForm = { url: '', namespace: 'nuclio', project: 'cvat', invoke: 'direct' as 'direct' | 'dashboard' };

export function DashboardsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const dashboards = useQuery({ ...modelQueries.dashboards(), refetchOnMount: 'always' });
  const [form, setForm] = useState(emptyForm);
  const change = (part: Partial<typeof form>): void => setForm((before) => ({ ...before, ...part }));
  const reload = () => client.invalidateQueries({ queryKey: ['models'] });
  const add = useMutation({
    mutationFn: () => call('addDashboard', { body: { ...form, url: form.url.trim() } }),
    onSuccess: () => setForm(emptyForm),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('deleteDashboard', { params: { id } }),
    onSuccess: () => notify.success(t('modelElsewhere.removed')),
    onError: (error) => notify.failure(t('modelElsewhere.failed'), error),
    onSettled: reload,
  });
  const { of, rest } = fieldErrors(add.error, ['url', 'namespace', 'project', 'invoke']);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('modelElsewhere.dashboards')} size="lg">
      <Stack gap="md">
        <Dimmed>{t('modelElsewhere.dashboardsText')}</Dimmed>
        <FormError text={dashboards.error?.message} />
        {dashboards.data?.length === 0 && <Text fz="sm">{t('modelElsewhere.dashboardsNone')}</Text>}
        {dashboards.data?.map(({ id, url, namespace, project, problem }) => (
          <Group key={id} gap="sm" wrap="nowrap" justify="space-between">
            <div>
              <Mono>{url}</Mono>
              <Hint>{joined([namespace, project, problem ?? t('modelElsewhere.works')])}</Hint>
            </div>
            <IconButton
              label={t('modelElsewhere.removeDashboard', { url })}
              icon={<IconTrash size={16} stroke={1.5} />}
              onClick={() => remove.mutate(id)}
            />
          </Group>
        ))}
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              label={t('modelElsewhere.url')}
              placeholder="http://nuclio.example.org:8070"
              data-autofocus
              spellCheck={false}
              value={form.url}
              onChange={(value) => change({ url: value })}
              error={of.url}
            />
            <Group grow align="flex-start" gap="sm">
              <TextInput
                label={t('modelElsewhere.namespace')}
                value={form.namespace}
                onChange={(value) => change({ namespace: value })}
                error={of.namespace}
              />
              <TextInput
                label={t('modelElsewhere.project')}
                description={t('modelElsewhere.projectHint')}
                value={form.project}
                onChange={(value) => change({ project: value })}
                error={of.project}
              />
              <ChoiceField
                label={t('modelElsewhere.invoke')}
                data={[
                  { value: 'direct', label: t('modelElsewhere.invokeDirect') },
                  { value: 'dashboard', label: t('modelElsewhere.invokeDashboard') },
                ]}
                value={form.invoke}
                onChange={(value) => change({ invoke: value === 'dashboard' ? 'dashboard' : 'direct' })}
              />
            </Group>
            <FormError text={rest} />
            <Group justify="flex-end">
              <Button type="submit" loading={add.isPending} disabled={form.url.trim() === ''}>
                {t('modelElsewhere.addDashboard')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Modal>
  );
}
