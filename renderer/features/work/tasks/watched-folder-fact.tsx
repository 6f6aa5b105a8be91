import { useQuery } from '@tanstack/react-query';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { Hint, Stack, Text } from '../../../ui/kit.ts';
import { TextFact } from '../pages/fact-fields.tsx';

const pollMs = 5000;

/** Path of the folder whose new images join the task. Empty: none. Only administrators may name paths. */
export function WatchedFolderFact({ task }: { readonly task: Task }) {
  const t = useText();
  const isAdmin = useQuery(queries.self()).data?.is_superuser === true;
  const found = useQuery({
    ...queries.watchedFolder(task.id),
    refetchInterval: ({ state }) => (state.data?.path == null ? false : pollMs),
  });
  const change = useChange(
    async (path: string): Promise<void> => {
      const params = { id: task.id };
      await (path === ''
        ? call('deleteWatchedFolder', { params })
        : call('setWatchedFolder', { params, body: { path } }));
    },
    { reloads: ['tasks'], failed: t('watchedFolder.failed') },
  );
  if (found.data === undefined) return null;
  const { path, added_count: added, ignored_count: ignored, problem } = found.data;
  const label = t('watchedFolder.label');
  return (
    <Stack gap={2}>
      {isAdmin ? (
        <TextFact
          label={label}
          value={path ?? ''}
          placeholder={t('watchedFolder.placeholder')}
          maxLength={4096}
          onChange={(next) => change.mutate(next)}
        />
      ) : (
        (path ?? t('watchedFolder.none'))
      )}
      {path !== null && (
        <Hint>
          {t('watchedFolder.added', { count: added })}
          {ignored > 0 && ` · ${t('watchedFolder.ignored', { count: ignored })}`}
        </Hint>
      )}
      {problem !== null && (
        <Text fz="xs" c="red" role="status">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
