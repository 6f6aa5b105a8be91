import { useQuery } from '@tanstack/react-query';
import type { DeployCheck } from '../../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Text, Title } from '../../../ui/kit.ts';
import { cardShares } from './gpu-share.ts';
import classes from './check-panel.module.css';

/** Each card with what is held of its memory, and what this function adds. */
export function GpuBudget({ gpu }: { readonly gpu: DeployCheck['gpu'] }) {
  const t = useText();
  const cards = useQuery(modelQueries.engine()).data?.cards ?? [];
  const { count, workers, per_worker_mib: perWorkerMiB, problem } = gpu;
  // That the cards could not be listed stands among the notes.
  if (count === 0 || (cards.length === 0 && problem === null)) return null;
  const shares = cardShares(cards, { count, workers, perWorkerMiB });
  return (
    <section aria-label={t('modelDeploy.budget')}>
      <Title order={3} fz="sm" mb={6}>
        {t('modelDeploy.budget')}
      </Title>
      {shares.map(({ index, name, usedMiB, usableMiB, wantedMiB, fits, functions }) => {
        const values = { index, used: usedMiB, usable: usableMiB, wanted: wantedMiB ?? 0 };
        const part = (amount: number) => `${usableMiB === 0 ? 0 : Math.min(100, (100 * amount) / usableMiB)}%`;
        return (
          <div key={index} className={classes.budget} title={[name, ...functions].join(' · ')}>
            <span>{t(wantedMiB === null ? 'modelDeploy.budgetUnknown' : 'modelDeploy.budgetLine', values)}</span>
            <div className={classes.bar} data-over={!fits || undefined}>
              <span style={{ width: part(usedMiB) }} />
              <span data-wanted style={{ width: part(wantedMiB ?? 0) }} />
            </div>
          </div>
        );
      })}
      <Text fz="xs" c={problem === null ? 'dimmed' : 'red'} role={problem === null ? undefined : 'alert'}>
        {problem ?? (perWorkerMiB === null ? t('modelDeploy.budgetUnknownText') : null)}
      </Text>
    </section>
  );
}
