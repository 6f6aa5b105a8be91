import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LogLevelName, logLevels, type LogLine } from '../../../preload/contract/schema/logs.ts';
import { logQueries } from '../../api/log-queries.ts';
import { useText } from '../../i18n/index.ts';
import { locale } from '../../i18n/language.ts';
import { formatBytes } from '../../shared/format-text.ts';
import { Modal } from '../../ui/dialog.tsx';
import { Button, Group, QuietButton, SmallButton, Stack, Text, useDebouncedValue, ChoiceField } from '../../ui/kit.ts';
import { LongList } from '../../ui/long-list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/page.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import classes from './logs-section.module.css';

function ReportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const report = useQuery({ ...logQueries.report(), refetchOnMount: 'always' });
  return (
    <Modal opened onClose={onClose} title={t('logs.reportTitle')} size="lg">
      <Stack gap="md">
        <Text fz="sm">{t('logs.reportText')}</Text>
        <Loaded query={report}>
          {(entries) => (
            <ul className={classes.lines}>
              {entries.map(({ name, bytes, text }) => (
                <li key={name}>
                  <div className={classes.line}>
                    <span className={classes.message}>{name}</span>
                    <span>{formatBytes(bytes)}</span>
                  </div>
                  {text !== null && (
                    <pre className={classes.fields} tabIndex={0} aria-label={name}>
                      {text}
                    </pre>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        <Group justify="flex-end" gap="sm">
          <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
          <Button component="a" href="/api/limner/report/file" download onClick={onClose}>
            {t('logs.save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const page = 200;
const most = 2000;
const pauseMs = 250;

export function LogsSection() {
  const t = useText();
  const [level, setLevel] = useState<LogLevelName>('info');
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(page);
  const [reporting, setReporting] = useState(false);
  const [searched] = useDebouncedValue(search.trim(), pauseMs);
  const lines = useQuery({ ...logQueries.lines(level, searched, limit), refetchOnMount: 'always' });
  return (
    <Stack gap="md">
      <SectionHead
        title={t('logs.title')}
        mb={0}
        action={
          <SmallButton style={{ flex: 'none' }} onClick={() => setReporting(true)}>
            {t('logs.report')}
          </SmallButton>
        }
      >
        {t('logs.intro')}
      </SectionHead>
      <Group gap="sm">
        <SearchField label={t('logs.search')} value={search} onChange={setSearch} />
        <ChoiceField
          w={150}
          size="xs"
          aria-label={t('logs.level')}
          data={logLevels.map((value) => ({ value, label: t(`logs.levels.${value}`) }))}
          value={level}
          // The values come from the list.
          onChange={(value) => setLevel(value as LogLevelName)}
        />
      </Group>
      <Loaded query={lines}>
        {({ results, more }) => {
          if (results.length === 0 && searched !== '') return <Text c="dimmed">{t('logs.nothingFound')}</Text>;
          if (results.length === 0) {
            const icon = <IconFileText size={40} stroke={1.25} />;
            return <Empty icon={icon} title={t('logs.emptyTitle')} text={t('logs.emptyText')} />;
          }
          return (
            <div>
              <LongList as="ol" className={classes.lines} rowHeight={33}>
                {results.map((line, index) => (
                  <Line key={`${line.time} ${line.message} ${results.length - index}`} line={line} />
                ))}
              </LongList>
              {more && limit < most && (
                <Button variant="subtle" size="compact-sm" mt={8} onClick={() => setLimit(limit + page)}>
                  {t('logs.older')}
                </Button>
              )}
            </div>
          );
        }}
      </Loaded>
      {reporting && <ReportDialog onClose={() => setReporting(false)} />}
    </Stack>
  );
}

function Line({ line }: { readonly line: LogLine }) {
  const t = useText();
  const { time, level, message, request, fields } = line;
  const all = request === null ? fields : { request, ...fields };
  const head = (
    <>
      <time className={classes.time} dateTime={time} title={time}>
        {new Date(time).toLocaleString(locale())}
      </time>
      <span className={classes.level} data-level={level}>
        {t(`logs.short.${level}`)}
      </span>
      <span className={classes.message}>{message}</span>
    </>
  );
  if (Object.keys(all).length === 0) return <li className={classes.line}>{head}</li>;
  return (
    <li>
      <details>
        <summary className={classes.line}>{head}</summary>
        <pre className={classes.fields} tabIndex={0} aria-label={t('logs.fields')}>
          {JSON.stringify(all, null, 2)}
        </pre>
      </details>
    </li>
  );
}
