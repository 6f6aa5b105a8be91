import { IconPencil } from '@tabler/icons-react';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import type { BasicUser } from '../../../../preload/contract/schema/common.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Group, Text, TextInput } from '../../../ui/kit.ts';
import { AssigneeSelect, usePeople, userName } from '../../../shared/people/people.tsx';
import classes from './fact-fields.module.css';

interface AssigneeFactProps {
  readonly label: string;
  readonly assignee: BasicUser | null;
  readonly onChange: (id: number | null) => void;
}

/** Assignee; null if there is only one user. */
export function AssigneeFact({ label, assignee, onChange }: AssigneeFactProps) {
  const t = useText();
  const { areSeveral } = usePeople();
  if (!areSeveral) return assignee === null ? t('jobs.nobody') : userName(assignee);
  return <AssigneeSelect size="xs" aria-label={label} assignee={assignee} onChange={onChange} />;
}

interface TextFactProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** Returns the error of a text, or undefined. */
  readonly check?: (text: string) => string | undefined;
  readonly shown?: ReactNode;
  readonly onChange: (text: string) => void;
}

export function TextFact({ label, value, placeholder, maxLength, check, shown, onChange }: TextFactProps) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft?.trim() ?? '';
  const problem = draft === null || text === '' ? undefined : check?.(text);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (problem !== undefined) return;
    if (text !== value) onChange(text);
    setDraft(null);
  };
  if (draft !== null) {
    return (
      <form onSubmit={submit}>
        <TextInput
          size="xs"
          aria-label={label}
          autoFocus
          placeholder={placeholder}
          maxLength={maxLength}
          value={draft}
          error={problem}
          onChange={setDraft}
          onBlur={(event) => (problem === undefined ? submit(event) : setDraft(null))}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
      </form>
    );
  }
  return (
    <Group gap={4} wrap="nowrap" className={classes.fact ?? ''}>
      {value === '' ? (
        <Text span inherit c="dimmed">
          {t('pages.none')}
        </Text>
      ) : (
        <span className={classes.value} title={value}>
          {shown ?? value}
        </span>
      )}
      <IconButton
        label={t('pages.changeFact', { name: label })}
        icon={<IconPencil size={14} stroke={1.5} />}
        onClick={() => setDraft(value)}
      />
    </Group>
  );
}

interface TrackerFactProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function TrackerFact({ value, onChange }: TrackerFactProps) {
  const t = useText();
  return (
    <TextFact
      label={t('pages.tracker')}
      value={value}
      placeholder="https://"
      maxLength={2000}
      check={(text) => (isWebAddress(text) ? undefined : t('pages.trackerProblem'))}
      shown={
        isWebAddress(value) ? (
          <a href={value} target="_blank" rel="noreferrer">
            {value.replace(/^https?:\/\//i, '')}
          </a>
        ) : undefined
      }
      onChange={onChange}
    />
  );
}

/** Only http(s) addresses become links. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
