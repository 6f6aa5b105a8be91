import type { GitCopyChanges, GitDifference } from '../../../../preload/contract/schema/git.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Dimmed, Group, PartName, SmallButton, Stack, Text, Title } from '../../../ui/kit.ts';
import classes from './conflicts.module.css';

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
