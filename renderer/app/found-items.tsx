import { IconChecklist, IconFolders, IconHelp, IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../api/api-error.ts';
import { foundQuery } from '../api/found-queries.ts';
import { helpPagesQuery } from '../api/help-queries.ts';
import { useText } from '../i18n/index.ts';
import { findHelp, useOpenHelp } from '../shared/help/find-help.ts';
import { userName } from '../shared/people/people.tsx';
import type { PaletteItem } from '../ui/command-palette.tsx';
import { ColorSwatch, useDebouncedValue } from '../ui/kit.ts';

/** Words of a query without the prefix that selects a kind. */
export const waitMessage = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .replace(/^\s*[>#]/, '')
    .split(/\s+/)
    .filter(Boolean);

export function fits({ label, description = '' }: PaletteItem, words: readonly string[]): boolean {
  const text = `${label} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const size = 18;
const pauseMs = 150;

interface Found {
  readonly items: readonly PaletteItem[];
  readonly nothing: string;
}

/** Tasks, jobs, labels and projects by part of their names; `#` finds only labels, `>` only commands. */
export function useFoundItems(query: string): Found {
  const t = useText();
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(query.trim(), pauseMs);
  const labelsOnly = settled.startsWith('#');
  const search = labelsOnly ? settled.slice(1).trim() : settled;
  const isAsked = search !== '' && !settled.startsWith('>');
  const { data, error, isFetching } = useQuery({ ...foundQuery(search, labelsOnly), enabled: isAsked });
  const waits = isFetching || settled !== query.trim();
  const nothing = waits
    ? t('palette.searching')
    : error === null
      ? t('palette.nothing')
      : t('palette.failed', { reason: messageOf(error) });
  if (!isAsked || data === undefined) return { items: [], nothing };
  const toTask = (id: number, tab?: string) => (): void =>
    void navigate({ to: '/tasks/$taskId', params: { taskId: String(id) }, search: tab === undefined ? {} : { tab } });
  const toProject = (id: number, tab?: string) => (): void =>
    void navigate({
      to: '/projects/$projectId',
      params: { projectId: String(id) },
      search: tab === undefined ? {} : { tab },
    });
  const items: PaletteItem[] = [
    ...data.tasks.map((task) => ({
      id: `task-${task.id}`,
      group: t('app.tasks'),
      label: task.name,
      fact: t('analytics.jobsOf', { completed: task.jobs.completed, jobs: task.jobs.count }),
      icon: <IconPhoto size={size} />,
      run: toTask(task.id),
    })),
    ...data.jobs.map((job) => ({
      id: `job-${job.id}`,
      group: t('app.jobs'),
      label: t('palette.job', { id: job.id }),
      description: `${job.task}, ${t('palette.frames', { first: job.start_frame, last: job.stop_frame })}`,
      fact: job.assignee === null ? undefined : userName(job.assignee),
      icon: <IconChecklist size={size} />,
      run: () =>
        void navigate({
          to: '/tasks/$taskId/jobs/$jobId',
          params: { taskId: String(job.task_id), jobId: String(job.id) },
        }),
    })),
    ...data.labels.map((label) => ({
      id: `label-${label.id}`,
      group: t('pages.labels'),
      label: label.name,
      fact: label.owner,
      icon: <ColorSwatch size={14} color={label.color} withShadow={false} />,
      run: label.project === undefined ? toTask(label.task ?? 0, 'labels') : toProject(label.project, 'labels'),
    })),
    ...data.projects.map((project) => ({
      id: `project-${project.id}`,
      group: t('app.projects'),
      label: project.name,
      icon: <IconFolders size={size} />,
      run: toProject(project.id),
    })),
  ];
  if (settled === query.trim()) return { items, nothing };
  // Results of the previous text that match this one are shown until the response arrives.
  const words = waitMessage(query);
  return { items: items.filter((item) => fits(item, words)), nothing };
}

/** Pages and headings of Help; none for queries of labels or commands. */
export function useHelpItems(query: string): readonly PaletteItem[] {
  const t = useText();
  const openHelp = useOpenHelp();
  const isAsked = query.trim() !== '' && !/^\s*[>#]/.test(query);
  const { data } = useQuery({ ...helpPagesQuery(), enabled: isAsked });
  return findHelp(isAsked ? (data ?? []) : [], waitMessage(query)).map(({ page, title, context }) => ({
    id: `help-${page}`,
    group: t('app.help'),
    label: title,
    description: context,
    icon: <IconHelp size={size} />,
    run: () => openHelp(page),
  }));
}
