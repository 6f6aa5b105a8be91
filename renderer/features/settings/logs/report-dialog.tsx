import { useQuery } from '@tanstack/react-query';
import { logQueries } from '../../../api/log-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatBytes } from '../../../parts/format-text.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { Button, Group, QuietButton, Stack, Text } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import classes from './logs-section.module.css';

/** Says what a report packs, and saves it. */
export function ReportDialog({ onClose }: { readonly onClose: () => void }) {
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
