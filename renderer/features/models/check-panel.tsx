import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DeployCheck } from '../../../preload/contract/schema/functions.ts';
import { useText } from '../../i18n/index.ts';
import { Loader, Text } from '../../ui/kit.ts';
import { DemandList } from './demand-list.tsx';
import { FindingList } from './finding-list.tsx';
import { GpuBudget } from './gpu-budget.tsx';
import { kindText } from './model-text.ts';
import classes from './models.module.css';

interface CheckPanelProps {
  readonly check: DeployCheck | undefined;
  /** What is wrong, a sentence each; empty while nothing is. */
  readonly problems: readonly string[];
  readonly isChecking: boolean;
  readonly grants: readonly string[];
  readonly onGrants: (grants: string[]) => void;
  readonly onLine: ((line: number) => void) | undefined;
  /** The button that deploys, and why it cannot be pressed. */
  readonly footer: ReactNode;
}

/** What a deployment would do, needs and asks for, kept up to date while the form is filled in. */
export function CheckPanel({ check, problems, isChecking, grants, onGrants, onLine, footer }: CheckPanelProps) {
  const t = useText();
  return (
    <aside className={classes.panel} aria-label={t('modelDeploy.check')}>
      <h2 className={classes.panelHead}>
        {t('modelDeploy.check')}
        {isChecking && <Loader size={14} role="status" aria-label={t('modelDeploy.checking')} />}
      </h2>
      {problems.length > 0 ? (
        <section role="alert" data-testid="check-problems">
          <h3 className={classes.panelTitle} data-tone="bad">
            <IconAlertTriangle size={16} />
            {t('modelDeploy.problems', { count: problems.length })}
          </h3>
          <FindingList sentences={problems} onLine={onLine} />
        </section>
      ) : check === undefined ? (
        <Text fz="sm" c="dimmed">
          {t('modelDeploy.checkWait')}
        </Text>
      ) : (
        <CheckBody check={check} grants={grants} onGrants={onGrants} onLine={onLine} />
      )}
      {footer}
    </aside>
  );
}

type BodyProps = Pick<CheckPanelProps, 'grants' | 'onGrants' | 'onLine'> & { readonly check: DeployCheck };

function CheckBody({ check, grants, onGrants, onLine }: BodyProps) {
  const t = useText();
  const { name, title, image, has_image: hasImage, labels, directives, warnings, demands } = check;
  const imageState =
    hasImage === null
      ? t('modelDeploy.imageUnknown')
      : t(hasImage ? 'modelDeploy.imageThere' : 'modelDeploy.imageMissing');
  const names = labels.map((label) => label.name).join(', ');
  return (
    <>
      <dl className={classes.checkFacts} data-testid="check-facts">
        <dt>{t('modelDeploy.willBe')}</dt>
        <dd>
          <span className={classes.strong}>{name}</span>
          {title !== name && ` · ${title}`}
        </dd>
        <dt>{t('modelDeploy.type')}</dt>
        <dd>{check.model_problem ?? kindText(check, t)}</dd>
        {names !== '' && (
          <>
            <dt>{t('modelDeploy.labels')}</dt>
            <dd className={classes.clamp} title={names}>
              {names}
            </dd>
          </>
        )}
        {image !== '' && (
          <>
            <dt>{t('modelDeploy.image')}</dt>
            <dd>
              <span className={classes.mono}>{image}</span>
              <div className={hasImage === false ? classes.bad : classes.quiet}>{imageState}</div>
            </dd>
          </>
        )}
      </dl>
      {check.exists && (
        <p className={classes.note}>
          <IconCircleCheck size={16} />
          {t('modelDeploy.willReplace')}
        </p>
      )}
      <DemandList
        demands={demands}
        offersNetwork={directives.some(({ kind }) => kind !== 'network')}
        grants={grants}
        onChange={onGrants}
      />
      <GpuBudget gpu={check.gpu} />
      {directives.length > 0 && (
        <section aria-label={t('modelDeploy.directives')}>
          <h3 className={classes.panelTitle}>{t('modelDeploy.directives')}</h3>
          <ul className={classes.findings}>
            {directives.map(({ key, directive, kind, reason }) => (
              <li key={key}>
                <span className={classes.place}>
                  {key} · {t(`modelDeploy.directiveKind.${kind}`)}
                </span>
                <div className={`${classes.mono} ${classes.clamp}`} title={directive}>
                  {directive}
                </div>
                <div className={classes.sentence}>{reason}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && (
        <section aria-label={t('modelDeploy.warnings')}>
          <h3 className={classes.panelTitle}>{t('modelDeploy.warnings')}</h3>
          <FindingList sentences={warnings} onLine={onLine} />
        </section>
      )}
    </>
  );
}
