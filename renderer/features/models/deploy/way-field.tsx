import { useText } from '../../../i18n/index.ts';
import { Hint, Radio } from '../../../ui/kit.ts';
import { deployWays, type DeployWay } from './deploy-draft.ts';
import classes from './new-model-page.module.css';

interface WayFieldProps {
  readonly value: DeployWay;
  readonly onChange: (way: DeployWay) => void;
}

export function WayField({ value, onChange }: WayFieldProps) {
  const t = useText();
  return (
    <div className={classes.ways} role="radiogroup" aria-label={t('modelDeploy.stepWay')}>
      {deployWays.map((way) => (
        <label key={way} className={classes.way} data-chosen={way === value || undefined}>
          <Radio name="deploy-way" value={way} checked={way === value} onChange={() => onChange(way)} />
          <span>
            <span className={classes.wayName}>{t(`modelDeploy.way.${way}`)}</span>
            <Hint span display="block">
              {t(`modelDeploy.wayHint.${way}`)}
            </Hint>
          </span>
        </label>
      ))}
    </div>
  );
}
