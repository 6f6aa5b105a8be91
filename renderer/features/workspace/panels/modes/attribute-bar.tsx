import { useText } from '../../../../i18n/index.ts';
import { Select } from '../../../../ui/kit.ts';
import { focusPicture } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import bars from '../workspace.module.css';
import { ChoiceSwitch, CountField } from './bar-fields.tsx';
import classes from './modes.module.css';
import { useAttributes, useModeChoice } from './use-modes.ts';

/** Means all attributes; no attribute has an empty name. */
const all = '';

export function AttributeBar() {
  const t = useText();
  const { modes } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const only = useAttributes((state) => state.only);
  const margin = useModeChoice('margin');
  const names = [...new Set(labels.flatMap(({ attributes }) => attributes.map(({ name }) => name)))];
  return (
    <div className={`${bars.labels} ${classes.tools}`} role="toolbar" aria-label={t('desks.attributes.bar')}>
      <Select
        size="xs"
        w={168}
        aria-label={t('desks.attributes.which')}
        allowDeselect={false}
        data={[{ value: all, label: t('desks.attributes.all') }, ...names]}
        value={only ?? all}
        onChange={(value) => {
          modes.attributes.ask(value === all ? null : value);
          focusPicture();
        }}
      />
      <span className={classes.word}>{t('desks.attributes.margin')}</span>
      <CountField
        name={t('desks.attributes.margin')}
        hint={t('desks.attributes.marginHint')}
        value={margin}
        least={0}
        most={5000}
        onChange={(value) => modes.choices.set({ margin: value })}
      />
      <span className={classes.space} />
      <ChoiceSwitch name="nextValue" label={t('desks.attributes.nextValue')} />
      <ChoiceSwitch name="nextFrame" label={t('desks.attributes.nextFrame')} />
    </div>
  );
}
