import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../../i18n/index.ts';
import { Button, NumberInput, Progress, Text } from '../../../../ui/kit.ts';
import { focusPicture, keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './models.module.css';
import { trackable } from '../../model/models/tracking.ts';
import { useRecords, useSelection } from '../scene-hooks.ts';
import { useModels } from './use-models.ts';

export function TrackerForm({ model }: { readonly model: LambdaFunction }) {
  const t = useText();
  const { engine, job, models } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const frames = useModels((state) => state.trackFrames);
  const tracking = useModels((state) => state.tracking);
  useSelection();
  useRecords();
  const count = trackable(engine, model).length;
  const left = job.stop_frame - frame;
  const types = (model.supported_shape_types ?? ['rectangle'])
    .map((type) => t(`annotate.shape.${type}`).toLowerCase())
    .join(', ');
  if (tracking !== null) {
    return (
      <div data-testid="tracking">
        <Text fz="sm" mb={6}>
          {t('assist.trackingFrame', { done: tracking.done, count: tracking.count })}
        </Text>
        <Progress value={(tracking.done / tracking.count) * 100} size="sm" aria-label={t('assist.runProgress')} />
        <Button mt={8} size="xs" variant="default" onClick={models.tracking.cancel}>
          {t('common.cancel')}
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={classes.setting}>
        <span>{t('assist.trackFrames')}</span>
        <NumberInput
          size="xs"
          aria-label={t('assist.trackFrames')}
          style={{ gridColumn: 'span 2' }}
          min={1}
          max={1000}
          allowDecimal={false}
          value={frames}
          onChange={(value) => {
            const wanted = Number(value);
            if (Number.isInteger(wanted) && wanted > 0) models.state.setState({ trackFrames: wanted });
          }}
        />
      </div>
      <div style={{ display: 'grid' }} onMouseDown={keepFocus}>
        <Button
          size="xs"
          disabled={count === 0 || left < 1}
          onClick={() => {
            focusPicture();
            void models.tracking.run(model);
          }}
          data-testid="track"
        >
          {t('assist.track', { count: Math.max(1, count) })}
        </Button>
      </div>
      <Text fz="xs" c="dimmed">
        {left < 1 ? t('assist.lastFrame') : count === 0 ? t('assist.selectFirst', { types }) : t('assist.trackPlain')}
      </Text>
    </>
  );
}
