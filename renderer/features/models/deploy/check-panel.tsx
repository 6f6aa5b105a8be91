import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeployCheck } from '../../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Dimmed, Group, Loader, Mono, Text, Title } from '../../../ui/kit.ts';
import { Facts, Panel } from '../../../ui/panel.tsx';
import { kindText } from '../function/model-text.ts';
import classes from './check-panel.module.css';
import { PermissionList } from './permission-list.tsx';
import { FindingList } from './finding-list.tsx';
import { cardShares } from './gpu-share.ts';

function GpuBudget({ gpu }: { readonly gpu: DeployCheck['gpu'] }) {
  const t = useText();
  const cards = useQuery(modelQueries.engine()).data?.gpus ?? [];
  const { count, workers, per_worker_mib: perWorkerMiB, problem } = gpu;
  // A note already reports that the GPUs could not be listed.
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

interface CheckPanelProps {
  readonly check: DeployCheck | undefined;
  /** One sentence per problem; empty if there are none. */
  readonly problems: readonly string[];
  readonly isChecking: boolean;
  readonly grants: readonly string[];
  readonly onGrants: (grants: string[]) => void;
  readonly onLine: ((line: number) => void) | undefined;
  /** The deploy button, and the reason if it is disabled. */
  readonly footer: ReactNode;
}

/** Effects, requirements and permissions of a deployment, updated while the form is edited. */
export function CheckPanel({ check, problems, isChecking, grants, onGrants, onLine, footer }: CheckPanelProps) {
  const t = useText();
  return (
    <aside className={classes.side} aria-label={t('modelDeploy.check')}>
      <Panel
        className={classes.check}
        title={
          <>
            {t('modelDeploy.check')}
            {isChecking && <Loader size={14} role="status" aria-label={t('modelDeploy.checking')} />}
          </>
        }
      >
        {problems.length > 0 ? (
          <section role="alert" data-testid="check-problems">
            <Title order={3} fz="sm" mb={6} c="red">
              <Group gap={6}>
                <IconAlertTriangle size={16} />
                {t('modelDeploy.problems', { count: problems.length })}
              </Group>
            </Title>
            <FindingList sentences={problems} onLine={onLine} />
          </section>
        ) : check === undefined ? (
          <Dimmed>{t('modelDeploy.checkWait')}</Dimmed>
        ) : (
          <CheckBody check={check} grants={grants} onGrants={onGrants} onLine={onLine} />
        )}
        <div className={classes.footer}>{footer}</div>
      </Panel>
    </aside>
  );
}

type BodyProps = Pick<CheckPanelProps, 'grants' | 'onGrants' | 'onLine'> & { readonly check: DeployCheck };

function CheckBody({ check, grants, onGrants, onLine }: BodyProps) {
  const t = useText();
  const { name, title, image, has_image: hasImage, labels, directives, warnings, permissions } = check;
  const imageState =
    hasImage === null
      ? t('modelDeploy.imageUnknown')
      : t(hasImage ? 'modelDeploy.imageThere' : 'modelDeploy.imageMissing');
  const names = labels.map((label) => label.name).join(', ');
  return (
    <>
      <Facts
        testId="check-facts"
        width={72}
        facts={[
          [
            t('modelDeploy.willBe'),
            <>
              <b>{name}</b>
              {title !== name && ` · ${title}`}
            </>,
          ],
          [t('modelDeploy.type'), check.model_problem ?? kindText(check, t)],
          [
            t('modelDeploy.labels'),
            names && (
              <Text key="labels" lineClamp={3} fz="sm" title={names}>
                {names}
              </Text>
            ),
          ],
          [
            t('modelDeploy.image'),
            image && (
              <>
                <Mono>{image}</Mono>
                <Text fz="xs" c={hasImage === false ? 'red' : 'dimmed'}>
                  {imageState}
                </Text>
              </>
            ),
          ],
        ]}
      />
      {check.exists && (
        <p className={classes.note}>
          <IconCircleCheck size={16} />
          {t('modelDeploy.willReplace')}
        </p>
      )}
      <PermissionList
        permissions={permissions}
        offersNetwork={directives.some(({ kind }) => kind !== 'network')}
        grants={grants}
        onChange={onGrants}
      />
      <GpuBudget gpu={check.gpu} />
      {directives.length > 0 && (
        <section aria-label={t('modelDeploy.directives')}>
          <Title order={3} fz="sm" mb={6}>
            {t('modelDeploy.directives')}
          </Title>
          <ul className={classes.findings}>
            {directives.map(({ key, directive, kind, reason }) => (
              <li key={key}>
                <span className={classes.place}>
                  {key} · {t(`modelDeploy.directiveKind.${kind}`)}
                </span>
                <Text lineClamp={3} ff="monospace" fz="xs" title={directive}>
                  {directive}
                </Text>
                <div className={classes.sentence}>{reason}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && (
        <section aria-label={t('modelDeploy.warnings')}>
          <Title order={3} fz="sm" mb={6}>
            {t('modelDeploy.warnings')}
          </Title>
          <FindingList sentences={warnings} onLine={onLine} />
        </section>
      )}
    </>
  );
}
