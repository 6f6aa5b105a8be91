import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Project, projectPatchSchema } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate } from '../../parts/format-text.ts';
import { AssigneeFact, TrackerFact } from '../../parts/pages/fact-fields.tsx';
import { userName } from '../../parts/people/user-name.ts';
import { notify } from '../../ui/notify.ts';
import { Facts } from '../../ui/panel.tsx';

/** Facts of a project; those that people set are changed in place. */
export function ProjectDetails({ project }: { readonly project: Project }) {
  const t = useText();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: z.input<typeof projectPatchSchema>) =>
      call('updateProject', { params: { id: project.id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['projects'] }),
    onError: (error) => notify.failure(project.name, messageOf(error)),
  });
  return (
    <Facts
      width={104}
      facts={[
        [
          t('jobs.assignee'),
          <AssigneeFact
            key="assignee"
            label={t('jobs.assignee')}
            assignee={project.assignee}
            onChange={(assignee_id) => change.mutate({ assignee_id })}
          />,
        ],
        [t('pages.owner'), project.owner && userName(project.owner)],
        [t('pages.subsets'), project.task_subsets.join(', ')],
        [
          t('pages.tracker'),
          <TrackerFact
            key="tracker"
            value={project.bug_tracker}
            onChange={(bug_tracker) => change.mutate({ bug_tracker })}
          />,
        ],
        [t('tasks.created'), formatDate(project.created_date)],
      ]}
    />
  );
}
