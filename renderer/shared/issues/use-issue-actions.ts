import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.ts';

/** Actions on issues and comments. Each returns success and reports failures. */
export function useIssueActions() {
  const t = useText();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      return client.invalidateQueries({ queryKey: ['issues'] });
    },
  });
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run.mutateAsync(work);
      return true;
    } catch (error) {
      notify.failure(t('issues.failed'), messageOf(error));
      return false;
    }
  };
  const confirm = t('common.delete');
  return {
    isBusy: run.isPending,
    resolve: (id: number, resolved: boolean) => act(() => call('updateIssue', { params: { id }, body: { resolved } })),
    reply: (issue: number, message: string) => act(() => call('createComment', { body: { issue, message } })),
    edit: (id: number, message: string) => act(() => call('updateComment', { params: { id }, body: { message } })),
    async remove(id: number): Promise<boolean> {
      if (!(await ask({ title: t('issues.deleteTitle'), text: t('issues.deleteText'), confirm }))) return false;
      return act(() => call('deleteIssue', { params: { id } }));
    },
    async removeComment(id: number): Promise<boolean> {
      const question = { title: t('issues.deleteCommentTitle'), text: t('issues.deleteCommentText') };
      if (!(await ask({ ...question, confirm }))) return false;
      return act(() => call('deleteComment', { params: { id } }));
    },
  };
}
export type IssueActions = ReturnType<typeof useIssueActions>;
