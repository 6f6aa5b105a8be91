import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import { call } from '../../../api/client.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.ts';

export function useModelActions({ name, address, provider }: Pick<ModelFunction, 'name' | 'address' | 'provider'>) {
  const t = useText();
  const client = useQueryClient();
  const params = { name };
  const reload = () => client.invalidateQueries({ queryKey: ['models'] });
  const keep = (model: ModelFunction): void => void client.setQueryData(modelQueries.one(name).queryKey, model);
  const failed = (key: 'start' | 'stop' | 'redeploy' | 'delete') => (error: unknown) =>
    notify.failure(t(`models.${key}Failed`, { name }), error);
  const start = useMutation({
    mutationFn: () => call('updateModel', { params, body: { state: 'ready' } }),
    onSuccess: (model) => {
      keep(model);
      notify.success(t('models.started', { name }));
    },
    onError: failed('start'),
    onSettled: reload,
  });
  const stop = useMutation({
    mutationFn: () => call('updateModel', { params, body: { state: 'stopped' } }),
    onSuccess: (model) => {
      keep(model);
      notify.success(t('models.stopped', { name }));
    },
    onError: failed('stop'),
    onSettled: reload,
  });
  return {
    start,
    stop,
    /** Returns true if the deployment has started. */
    async redeploy(): Promise<boolean> {
      const question = { title: t('models.redeployTitle', { name }), text: t('models.redeployText') };
      if (!(await ask({ ...question, confirm: t('models.redeploy'), danger: false }))) return false;
      try {
        keep(await call('redeployModel', { params, body: {} }));
        return true;
      } catch (error) {
        failed('redeploy')(error);
        return false;
      } finally {
        void reload();
      }
    },
    /** Returns true if the rollback has started. */
    async rollBack(version: number): Promise<boolean> {
      const question = {
        title: t('modelVersions.rollBackTitle', { name, version }),
        text: t('modelVersions.rollBackText'),
      };
      if (!(await ask({ ...question, confirm: t('modelVersions.rollBack'), danger: false }))) return false;
      try {
        keep(await call('rollBackModel', { params, body: { version } }));
        return true;
      } catch (error) {
        notify.failure(t('modelVersions.rollBackFailed', { name, version }), error);
        return false;
      } finally {
        void reload();
      }
    },
    /** Returns true if deleted. */
    async remove(): Promise<boolean> {
      const text =
        provider === 'docker'
          ? t('models.deleteText')
          : provider === 'native'
            ? t('models.deleteTextNative')
            : t('models.deleteTextRemote', { address: address ?? '' });
      const title = t('models.deleteTitle', { name });
      if (!(await ask({ title, text, confirm: t('common.delete') }))) return false;
      try {
        await call('deleteModel', { params });
      } catch (error) {
        failed('delete')(error);
        return false;
      }
      notify.success(t('models.deleted', { name }));
      void client.invalidateQueries({ queryKey: ['models', 'list'] });
      void client.invalidateQueries({ queryKey: ['models', 'engine'] });
      return true;
    },
  };
}
