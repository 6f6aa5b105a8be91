import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnnotationChange } from '../../../../preload/contract/schema/annotations.ts';
import { type ChangeOwner, queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, SmallButton, Stack, Title } from '../../../ui/kit.ts';
import { List, Row } from '../../../ui/list.tsx';
import { changeText, useUndoChange } from '../../../shared/undo-change.ts';
import { formatDate, formatWhen } from '../../../shared/format-text.ts';
import { HistoryList } from '../../../shared/history-list.tsx';

/** More appear on demand. */
const shownAtFirst = 3;

/** Changes that can be undone, newest first; empty without any. */
function ChangeList({ owner }: { readonly owner: ChangeOwner }) {
  const t = useText();
  const changes = useQuery({ ...queries.changes(owner), refetchOnMount: 'always' });
  const { undo } = useUndoChange();
  const run = useMutation({ mutationFn: undo });
  const [isWhole, setWhole] = useState(false);
  const all = changes.data ?? [];
  if (all.length === 0) return null;
  return (
    <section>
      <Title order={2} mb={8}>
        {t('changes.title')}
      </Title>
      <List>
        {(isWhole ? all : all.slice(0, shownAtFirst)).map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            owner={owner}
            busy={run.isPending}
            onUndo={() => run.mutate(change)}
          />
        ))}
      </List>
      {!isWhole && all.length > shownAtFirst && (
        <Button variant="subtle" size="compact-sm" mt={8} onClick={() => setWhole(true)}>
          {t('changes.all', { count: all.length })}
        </Button>
      )}
    </section>
  );
}

interface ChangeRowProps {
  readonly change: AnnotationChange;
  readonly owner: ChangeOwner;
  readonly busy: boolean;
  readonly onUndo: () => void;
}

function ChangeRow({ change, owner, busy, onUndo }: ChangeRowProps) {
  const t = useText();
  const what = changeText(t, change);
  return (
    <Row
      name={what}
      title={what}
      meta={[
        owner.kind === 'task' && change.job_id !== null ? t('tasks.job', { id: change.job_id }) : null,
        change.user === null ? null : t('changes.by', { name: change.user.username }),
        formatWhen(change.created_date),
        t('changes.until', { date: formatDate(change.expiry_date) }),
      ]}
    >
      <SmallButton
        flex="none"
        leftSection={<IconArrowBackUp size={14} />}
        disabled={busy}
        aria-label={t('changes.undoOf', { what })}
        onClick={onUndo}
      >
        {t('changes.undo')}
      </SmallButton>
    </Row>
  );
}

/** History of a project or task: changes that can be undone, and activity. */
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
