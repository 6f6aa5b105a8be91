import type { LambdaFunction } from '../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, SegmentedControl, Text } from '../../../ui/kit.ts';
import { focusPicture, keepFocus } from '../action-list.ts';
import { useAnnotate, useModels, useSession } from '../session-context.ts';
import classes from './models.module.css';

const forms = ['polygon', 'mask'] as const;

/** An interactor: arm it, then point on the picture; the keys are named where they are used. */
export function InteractorForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const { engine, models } = useSession();
  const armed = useAnnotate((state) => state.tool === 'prompt');
  const takeAs = useModels((state) => state.takeAs);
  const busy = useModels((state) => state.interacting);
  const knowsNegative = (model.min_neg_points ?? -1) >= 0;
  const needsBox = model.startswith_box === true && model.startswith_box_optional !== true;
  const toggle = (): void => {
    focusPicture();
    if (armed) engine.setTool('select');
    else models.interaction.arm(model);
  };
  return (
    <>
      {model.help_message !== undefined && model.help_message !== '' && <Text fz="sm">{model.help_message}</Text>}
      <div className={classes.setting}>
        <span>{t('assist.takeAs')}</span>
        <SegmentedControl
          size="xs"
          aria-label={t('assist.takeAs')}
          style={{ gridColumn: 'span 2' }}
          data={forms.map((value) => ({ value, label: t(`annotate.shape.${value}`) }))}
          value={takeAs}
          onChange={(value) => models.state.setState({ takeAs: value })}
        />
      </div>
      <div style={{ display: 'grid' }} onMouseDown={keepFocus}>
        <Button size="xs" variant={armed ? 'default' : 'filled'} loading={busy} onClick={toggle} data-testid="interact">
          {armed ? t('assist.stopPointing') : t('assist.startPointing')}
        </Button>
      </div>
      <dl className={classes.gestures}>
        {needsBox && (
          <>
            <dt>{t('assist.gesture.drag')}</dt>
            <dd>{t('assist.gesture.boxFirst')}</dd>
          </>
        )}
        <dt>{t('assist.gesture.click')}</dt>
        <dd>{t('assist.gesture.positive')}</dd>
        {knowsNegative && (
          <>
            <dt>{t('assist.gesture.rightClick')}</dt>
            <dd>{t('assist.gesture.negative')}</dd>
          </>
        )}
        {!needsBox && (
          <>
            <dt>{t('assist.gesture.drag')}</dt>
            <dd>{t('assist.gesture.box')}</dd>
          </>
        )}
        <dt>{t('assist.gesture.again')}</dt>
        <dd>{t('assist.gesture.remove')}</dd>
        <dt>Enter</dt>
        <dd>{t('assist.gesture.keep')}</dd>
        <dt>Esc</dt>
        <dd>{t('assist.gesture.drop')}</dd>
      </dl>
    </>
  );
}
