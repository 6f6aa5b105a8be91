import { useQuery } from '@tanstack/react-query';
import { qualityQueries } from '../../../../api/quality-queries.ts';
import { useText } from '../../../../i18n/index.ts';
import { formatWhen } from '../../../../shared/format-text.ts';
import { Stack, Text, UnstyledButton } from '../../../../ui/kit.ts';
import { LongList } from '../../../../ui/long-list.tsx';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './review.module.css';
import { useReview } from './use-review.ts';

export function ConflictRows() {
  const t = useText();
  const { review, job } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const chosen = useReview((state) => state.conflict);
  const found = useQuery({ ...qualityQueries.ofJob(job.id), refetchOnMount: 'always', retry: false }).data;
  if (!found || found.conflicts.length === 0) return null;
  const rows = found.conflicts.toSorted((a, b) => Number(b.frame === frame) - Number(a.frame === frame));
  return (
    <>
      <h2 className={classes.group}>
        {t('quality.inReview')} · {formatWhen(found.report.created_date)}
      </h2>
      <LongList as="ul" className={classes.list} rowHeight={45}>
        {rows.map((conflict) => (
          <li key={conflict.id}>
            <UnstyledButton
              className={classes.row ?? ''}
              data-testid="conflict-row"
              data-severity={conflict.severity}
              aria-current={conflict.id === chosen}
              onClick={() => void review.lookAt(conflict)}
            >
              <span className={classes.number} aria-hidden>
                {conflict.severity === 'error' ? '!' : '~'}
              </span>
              <Stack gap={0} miw={0}>
                <Text span inherit truncate>
                  {t(`quality.kinds.${conflict.type}`)}
                </Text>
                <Text span inherit fz={12} c="dimmed">
                  {t(`quality.severity.${conflict.severity}`)} · {t('quality.frame', { frame: conflict.frame })}
                </Text>
              </Stack>
            </UnstyledButton>
          </li>
        ))}
      </LongList>
    </>
  );
}
