import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { FrameMatches } from '../../../../../preload/contract/schema/finding.ts';
import { messageOf } from '../../../../api/api-error.ts';
import { useText } from '../../../../i18n/index.ts';
import { Text, useDebouncedValue } from '../../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import { useRecords } from '../scene-hooks.ts';
import { useFilter } from './use-filter.ts';

/** Counts only after a pause in typing. */
const askAfterMs = 400;

type Answer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'found'; readonly found: FrameMatches }
  | { readonly kind: 'failed'; readonly message: string };

export function MatchCount() {
  const t = useText();
  const { find } = useSession();
  const here = useRecords().length;
  const logic = useFilter((state) => state.logic);
  const changes = useStore(find.matches.changes, ({ count }) => count);
  const question = useMemo(() => ({ logic, changes }), [logic, changes]);
  const [operationQuery] = useDebouncedValue(question, askAfterMs);
  const [answer, setAnswer] = useState<Answer>({ kind: 'waiting' });
  useEffect(() => {
    let isOld = false;
    const put = (next: Answer): void => {
      if (!isOld) setAnswer(next);
    };
    put({ kind: 'waiting' });
    if (operationQuery.logic !== null) {
      find.matches.of(operationQuery.logic).then(
        (found) => put({ kind: 'found', found }),
        (error: unknown) => put({ kind: 'failed', message: messageOf(error) }),
      );
    }
    return () => {
      isOld = true;
    };
  }, [operationQuery, find]);
  const words = (): string => {
    if (logic === null) return '';
    if (answer.kind === 'failed') return t('find.filter.countFailed', { message: answer.message });
    if (answer.kind === 'waiting' || operationQuery !== question) return t('find.filter.counting', { here });
    return t('find.filter.count', { here, count: answer.found.total, frames: answer.found.frames.length });
  };
  return (
    <Text span fz="xs" c="dimmed" flex={1} miw={0} role="status" data-testid="filter-count">
      {words()}
    </Text>
  );
}
