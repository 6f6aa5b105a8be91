import type { ChangeOwner } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Stack, Title } from '../../ui/kit.ts';
import { ChangeList } from '../changes/change-list.tsx';
import { HistoryList } from './history-list.tsx';

/** What has become of a project or a task: what can be taken back, and who has changed what. */
export function WorkHistory({ owner }: { readonly owner: ChangeOwner }) {
  const t = useText();
  return (
    <Stack gap="lg">
      <ChangeList owner={owner} />
      <section>
        <Title order={2} mb={8}>
          {t('history.title')}
        </Title>
        <HistoryList of={owner.kind === 'project' ? { project_id: owner.id } : { task_id: owner.id }} />
      </section>
    </Stack>
  );
}
