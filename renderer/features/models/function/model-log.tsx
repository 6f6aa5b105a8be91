import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../../i18n/index.ts';
import { CodeView, CopyIconButton } from '../../../shared/code/code-view.tsx';
import { Box, Button, Group, Hint, Stack, TextInput } from '../../../ui/kit.ts';
import { StateDot } from '../../../ui/state-dot.tsx';
import { Problem } from '../../../ui/page.tsx';
import type { LogLine } from './log-lines.ts';
import classes from './model-log.module.css';
import { useModelLog } from './use-model-log.ts';

interface ModelLogProps {
  readonly name: string;
  /** True if more lines may follow. */
  readonly isAlive: boolean;
  readonly isCompact?: boolean;
}

/** Maximum distance that counts as scrolled to the end. */
const nearEndPx = 24;
const wholeText = (lines: readonly LogLine[]): string =>
  lines.map(({ time, level, text }) => `${time} ${level} ${text}`.trim()).join('\n');

/** Log of the deployment and the function; follows the newest line. */
export function ModelLog({ name, isAlive, isCompact = false }: ModelLogProps) {
  const t = useText();
  const { lines, state, problem } = useModelLog(name, isAlive);
  const [filter, setFilter] = useState('');
  const [isAtEnd, setAtEnd] = useState(true);
  const view = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  const shown = wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
  const toEnd = (): void => {
    if (view.current !== null) view.current.scrollTop = view.current.scrollHeight;
  };
  // After every change of the shown lines.
  useEffect(() => {
    if (isAtEnd) toEnd();
  });
  const stateText = state === 'live' || isAlive ? t('modelLog.live') : t('modelLog.ended');
  return (
    <Stack gap={8}>
      <Group gap={12} mih={30} fz="sm">
        <StateDot tone={state === 'live' || isAlive ? 'ok' : 'rest'} role="status">
          {stateText}
        </StateDot>
        <Box flex={1} />
        {!isCompact && (
          <TextInput
            size="xs"
            w={240}
            aria-label={t('modelLog.filter')}
            placeholder={t('modelLog.filter')}
            value={filter}
            onChange={setFilter}
          />
        )}
        {!isAtEnd && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowDown size={14} />}
            onClick={() => {
              toEnd();
              setAtEnd(true);
            }}
          >
            {t('modelLog.newest')}
          </Button>
        )}
        <CopyIconButton value={wholeText(lines)} label={t('modelLog.copy')} />
      </Group>
      {state === 'lost' && <Problem title={t('modelLog.lost')} message={problem} />}
      <CodeView
        ref={view}
        role="log"
        wrap
        label={t('modelLog.label', { name })}
        height={`max(240px, calc(100vh - ${isCompact ? 360 : 300}px))`}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearEndPx)
        }
      >
        {shown.map(({ id, time, level, text }) => (
          <div key={id} className={classes.line} data-level={level}>
            <span className={classes.time}>{time}</span>
            <span>{level === 'info' ? '' : t(`modelLog.level.${level}`)}</span>
            <span>{text}</span>
          </div>
        ))}
        {shown.length === 0 && (
          <Hint>
            {lines.length > 0 ? t('modelLog.nothing') : isAlive ? t('modelLog.waiting') : t('modelLog.empty')}
          </Hint>
        )}
      </CodeView>
    </Stack>
  );
}
