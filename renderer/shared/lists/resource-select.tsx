import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Select, useDebouncedValue } from '../../ui/kit.ts';

/** Options of a select by id and name. Duplicate names get their ids. */
export function distinctOptions(entries: ReadonlyMap<string, string>): { value: string; label: string }[] {
  const names = [...entries.values()];
  const isTwin = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return [...entries].map(([value, name]) => ({ value, label: isTwin(name) ? `${name} (#${value})` : name }));
}

/**
 * Name of an option without its id. A select that searches by the option's text would lose duplicates, and with them
 * the id.
 */
export const searchedName = (text: string): string => text.replace(/ \(#\d+\)$/, '');

interface ResourceSelectProps {
  readonly kind: 'project' | 'task';
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  /** Accessible name; shown above the field if `labelled`. */
  readonly label: string;
  readonly labelled?: boolean;
  readonly placeholder: string;
  readonly width?: number;
  readonly size?: 'xs' | 'sm';
  readonly required?: boolean;
  readonly error?: string | undefined;
}

const optionsShown = 20;

/** Selects a project or task by part of its name. The service searches, so the number is unlimited. */
export function ResourceSelect(props: ResourceSelectProps) {
  const {
    kind,
    value,
    onChange,
    label,
    labelled = false,
    placeholder,
    width,
    size = 'sm',
    required = false,
    error,
  } = props;
  const t = useText();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const list = { page: 1, pageSize: optionsShown, search, sort: 'name' };
  const projects = useQuery({ ...queries.projects(list), enabled: kind === 'project' });
  const tasks = useQuery({ ...queries.tasks(list), enabled: kind === 'task' });
  const project = useQuery({ ...queries.project(value ?? 0), enabled: kind === 'project' && value !== null });
  const task = useQuery({ ...queries.task(value ?? 0), enabled: kind === 'task' && value !== null });
  const found = (kind === 'project' ? projects.data?.results : tasks.data?.results) ?? [];
  const chosen = kind === 'project' ? project.data : task.data;
  const entries = new Map(found.map((one) => [String(one.id), one.name]));
  if (chosen !== undefined && String(chosen.id) === String(value)) entries.set(String(chosen.id), chosen.name);
  return (
    <Select
      size={size}
      {...(labelled ? { label } : { 'aria-label': label })}
      {...(width === undefined ? {} : { w: width })}
      placeholder={placeholder}
      searchable
      clearable={!required}
      allowDeselect={!required}
      required={required}
      nothingFoundMessage={t('jobs.noMatch')}
      comboboxProps={{ width: 320, position: 'bottom-start', shadow: 'md' }}
      data={distinctOptions(entries)}
      // The service has already searched.
      filter={({ options }) => options}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      onSearchChange={(shown) => setText(searchedName(shown))}
      onDropdownOpen={() => setText('')}
      error={error}
    />
  );
}
