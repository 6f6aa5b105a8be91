import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { GitCopyChanges, GitDifference, GitCommit, GitSkipped } from '../../../../preload/contract/schema/git.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Dimmed, Group, PartName, SmallButton, Stack, Text, Title } from '../../../ui/kit.ts';
import classes from './repository.module.css';
import { gitCalls, type GitOwner } from '../../../api/git-calls.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { ask } from '../../../ui/confirm.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { formatDate, formatWhen } from '../../../shared/format-text.ts';

/** For example `2 added, 1 changed`; empty without differences. */
export function differenceText(t: ReturnType<typeof useText>, { added, changed, removed }: GitDifference): string {
  const parts = [
    added > 0 ? t('git.added', { count: added }) : '',
    changed > 0 ? t('git.changed', { count: changed }) : '',
    removed > 0 ? t('git.removed', { count: removed }) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

interface CopyChangesProps {
  readonly copies: readonly GitCopyChanges[];
  /** True if several tasks may be affected. */
  readonly namesTasks: boolean;
  readonly isBusy: boolean;
  readonly onDecided: (copy: 'take' | 'leave') => void;
}

export function CopyChanges({ copies, namesTasks, isBusy, onDecided }: CopyChangesProps) {
  const t = useText();
  const [first] = copies;
  if (first === undefined) return null;
  const isTakeable = copies.every(({ reason }) => reason === null);
  return (
    <section aria-label={t('git.copyTitle', { format: first.format })} data-testid="git-copies">
      <Stack gap="sm">
        <div role="alert">
          <Title order={2}>{t('git.copyTitle', { format: first.format })}</Title>
          <Dimmed mt={4}>{t(isTakeable ? 'git.copyText' : 'git.copyUnreadable')}</Dimmed>
        </div>
        <ul className={classes.left}>
          {copies.map((copy) => (
            <li key={copy.task_id}>
              {namesTasks && <PartName span>{copy.task_name}: </PartName>}
              <Text fz="sm" span>
                {copy.reason ?? (differenceText(t, copy.changed) || t('git.copyNothing'))}
                {copy.unmatched > 0 && ` ${t('git.copyUnmatched', { count: copy.unmatched })}`}
              </Text>
            </li>
          ))}
        </ul>
        <Group gap="sm">
          <Button size="xs" disabled={isBusy || !isTakeable} onClick={() => onDecided('take')}>
            {t('git.copyTake')}
          </Button>
          <SmallButton disabled={isBusy} onClick={() => onDecided('leave')}>
            {t('git.copyLeave')}
          </SmallButton>
        </Group>
      </Stack>
    </section>
  );
}

export function CommitList({ owner, base }: { readonly owner: GitOwner; readonly base: string }) {
  const t = useText();
  const history = useQuery(gitQueries.history(owner, base));
  const restore = useChange(({ commit }: GitCommit) => gitCalls.restore(owner, commit), {
    reloads: [gitQueries.place(owner)],
    done: ({ changed, skipped }) => {
      const what = differenceText(t, changed);
      notify.success(what === '' ? t('git.restoredNothing') : t('git.restored', { what }));
      printSkipped(t, skipped);
    },
    failed: t('git.restoreFailed'),
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
