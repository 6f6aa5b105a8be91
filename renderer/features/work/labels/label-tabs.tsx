import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../../i18n/index.ts';
import { Button, Group, Hint, Stack, Tabs, Textarea } from '../../../ui/kit.ts';
import { CopyLabelsDialog } from './copy-labels-dialog.tsx';
import classes from './label-editor.module.css';
import type { LabelDraft } from './label-draft.ts';
import { draftsOfRaw, rawOfDrafts } from './raw-labels.ts';
import { LabelConstructor } from './label-row.tsx';

interface LabelTabsProps {
  readonly drafts: readonly LabelDraft[];
  readonly onChange: (drafts: readonly LabelDraft[]) => void;
  /** Receives the reasons why the raw text cannot be read; empty if it can. */
  readonly onRawProblems: (problems: readonly string[]) => void;
}

export function LabelTabs({ drafts, onChange, onRawProblems }: LabelTabsProps) {
  const t = useText();
  const [tab, setTab] = useState('constructor');
  const [raw, setRaw] = useState('');
  const [isCopying, setCopying] = useState(false);
  const [broken, setBroken] = useState(false);
  const edit = (text: string): void => {
    setRaw(text);
    const result = draftsOfRaw(text);
    setBroken(!result.ok);
    if (result.ok) {
      onRawProblems([]);
      onChange(result.drafts);
    } else {
      onRawProblems('syntax' in result ? [t('labels.problems.notJson', { reason: result.syntax })] : result.problems);
    }
  };
  const open = (next: string | null): void => {
    if (broken || next === null) return;
    if (next === 'raw') setRaw(rawOfDrafts(drafts));
    setTab(next);
  };
  return (
    <Tabs value={tab} onChange={open}>
      <Group justify="space-between" wrap="nowrap" mb={8}>
        <Tabs.List>
          <Tabs.Tab value="constructor" disabled={broken}>
            {t('labels.constructor')}
          </Tabs.Tab>
          <Tabs.Tab value="raw">{t('labels.raw')}</Tabs.Tab>
        </Tabs.List>
        <Button
          ml="auto"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCopy size={14} />}
          disabled={broken || tab === 'raw'}
          onClick={() => setCopying(true)}
        >
          {t('copyLabels.open')}
        </Button>
      </Group>
      {isCopying && (
        <CopyLabelsDialog
          drafts={drafts}
          onCopy={(added) => onChange([...drafts, ...added])}
          onClose={() => setCopying(false)}
        />
      )}
      <Tabs.Panel value="constructor">
        <LabelConstructor drafts={drafts} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="raw">
        <Stack gap={4}>
          <Textarea
            className={classes.raw ?? ''}
            aria-label={t('labels.raw')}
            autosize
            minRows={10}
            maxRows={24}
            spellCheck={false}
            value={raw}
            onChange={edit}
          />
          <Hint>{t('labels.rawHint')}</Hint>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
