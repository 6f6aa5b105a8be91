import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GitCommit, GitSkipped } from '../../../../preload/contract/schema/git.ts';
import { messageOf } from '../../../api/api-error.ts';
import { gitCalls, type GitOwner } from '../../../api/git-calls.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Dimmed, PartName, Title } from '../../../ui/kit.ts';
import { List, Row } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { formatDate, formatWhen } from '../../../shared/format-text.ts';
import classes from './conflicts.module.css';
import { differenceText } from './copy-changes.tsx';

export function CommitList({ owner, base }: { readonly owner: GitOwner; readonly base: string }) {
  const t = useText();
  const client = useQueryClient();
  const history = useQuery(gitQueries.history(owner, base));
  const restore = useMutation({
    mutationFn: ({ commit }: GitCommit) => gitCalls.restore(owner, commit),
    onSuccess({ changed, skipped }) {
      const what = differenceText(t, changed);
      notify.success(what === '' ? t('git.restoredNothing') : t('git.restored', { what }));
      printSkipped(t, skipped);
    },
    onError: (error) => notify.failure(t('git.restoreFailed'), messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: gitQueries.place(owner) }),
  });
  const askAndRestore = async (commit: GitCommit): Promise<void> => {
    const text = t(`git.${owner.kind}.restoreText`, { when: formatDate(commit.date), author: commit.author });
    const words = { confirm: t('git.restore'), danger: false };
    if (await ask({ title: t('git.restoreTitle'), text, ...words })) restore.mutate(commit);
  };
  return (
    <section>
      <Title order={2} mb={8}>
        {t('git.history')}
      </Title>
      <Loaded query={history}>
        {(commits) => (
          <List>
            {commits.map((commit) => (
              <Row
                key={commit.commit}
                name={commit.message}
                title={commit.message}
                meta={[commit.author, formatWhen(commit.date), commit.commit.slice(0, 8)]}
              >
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconArrowBackUp size={14} />}
                  disabled={restore.isPending}
                  onClick={() => void askAndRestore(commit)}
                >
                  {t('git.restore')}
                </Button>
              </Row>
            ))}
          </List>
        )}
      </Loaded>
    </section>
  );
}

type Skipped = readonly GitSkipped[];

function printSkipped(t: ReturnType<typeof useText>, skipped: Skipped): void {
  const [first] = skipped;
  if (first === undefined) return;
  const rest = skipped.length > 1 ? ` ${t('git.leftMore', { count: skipped.length - 1 })}` : '';
  notify.failure(t('git.leftTitle', { count: skipped.length }), `${first.name}: ${first.reason}${rest}`);
}

export function UnpushedList({ skipped }: { readonly skipped: Skipped }) {
  const t = useText();
  if (skipped.length === 0) return null;
  return (
    <section aria-label={t('git.leftTitle', { count: skipped.length })}>
      <Title order={2}>{t('git.leftTitle', { count: skipped.length })}</Title>
      <ul className={classes.left}>
        {skipped.map(({ task_id: taskId, name, reason }, index) => (
          <li key={taskId ?? `folder ${index}`}>
            <PartName span>{name}</PartName> <Dimmed span>{reason}</Dimmed>
          </li>
        ))}
      </ul>
    </section>
  );
}
