import { Fragment } from 'react';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../../i18n/index.ts';
import { Button, SegmentedControl, Text } from '../../../../ui/kit.ts';
import { focusPicture, keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { knowsNegative } from '../../model/models/interaction-question.ts';
import classes from './models.module.css';
import { useModels } from './use-models.ts';

const forms = ['polygon', 'mask'] as const;

export function InteractorForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const { engine, models } = useSession();
  const armed = useAnnotate((state) => state.tool === 'prompt');
  const takeAs = useModels((state) => state.takeAs);
  const busy = useModels((state) => state.interacting);
  const needsBox = model.startswith_box === true && model.startswith_box_optional !== true;
  const gestures = [
    ...(needsBox ? [['drag', 'boxFirst'] as const] : []),
    ['click', 'positive'],
    ...(knowsNegative(model) ? [['rightClick', 'negative'] as const] : []),
    ...(needsBox ? [] : [['drag', 'box'] as const]),
    ['again', 'remove'],
  ] as const;
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
        {gestures.map(([how, what]) => (
          <Fragment key={what}>
            <dt>{t(`assist.gesture.${how}`)}</dt>
            <dd>{t(`assist.gesture.${what}`)}</dd>
          </Fragment>
        ))}
        <dt>Enter</dt>
        <dd>{t('assist.gesture.keep')}</dd>
        <dt>Esc</dt>
        <dd>{t('assist.gesture.drop')}</dd>
      </dl>
    </>
  );
}
