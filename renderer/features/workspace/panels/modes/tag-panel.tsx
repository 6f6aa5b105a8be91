import { IconCheck } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { labelActionId } from '../../../../shared/keys/keymap.ts';
import { Kbd, UnstyledButton } from '../../../../ui/kit.ts';
import { LongList } from '../../../../ui/long-list.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { LabelDot } from '../labels/label-box.tsx';
import { useAnnotate, useSession, useShortcuts } from '../session-context.ts';
import bars from '../workspace.module.css';
import { ChoiceSwitch } from './bar-fields.tsx';
import classes from './modes.module.css';
import { tagLabels, tagsOf } from '../../model/modes/tag-controller.ts';
import { useLabelColor } from '../scene-hooks.ts';

export function TagPanel() {
  const t = useText();
  const { engine, modes } = useSession();
  const colorOf = useLabelColor();
  const keyOf = useShortcuts();
  const all = useAnnotate((state) => state.labels);
  const labels = tagLabels(all);
  useSyncExternalStore(engine.scene.subscribe, () => engine.scene.version);
  const tags = tagsOf(engine.scene.all());
  if (labels.length === 0) return <p className={classes.note}>{t('desks.tags.none')}</p>;
  return (
    <>
      <div className={classes.head} data-testid="tag-count">
        {t('desks.tags.count', { count: tags.length })}
      </div>
      <LongList
        as="div"
        rowHeight={32}
        className={classes.all}
        role="group"
        aria-label={t('desks.tags.list')}
        onMouseDown={keepFocus}
      >
        {labels.map((label) => {
          const number = all.indexOf(label) + 1;
          const isPut = tags.some(({ labelId }) => labelId === label.id);
          const key = keyOf(labelActionId(label.name)) ?? (number <= 10 ? keyOf(`tags.toggle${number}`) : undefined);
          return (
            <UnstyledButton
              key={label.id}
              className={`${classes.value} ${classes.tagRow}`}
              title={label.name}
              aria-pressed={isPut}
              onClick={() => modes.tags.toggle(label.id)}
            >
              <Kbd size="xs" className={classes.digit ?? ''}>
                {key ?? ' '}
              </Kbd>
              <LabelDot color={colorOf(label)} />
              <span className={classes.name}>{label.name}</span>
              {isPut && <IconCheck size={16} className={classes.tick ?? ''} />}
            </UnstyledButton>
          );
        })}
      </LongList>
    </>
  );
}

export function TagBar() {
  const t = useText();
  return (
    <div className={`${bars.labels} ${classes.tools}`} role="toolbar" aria-label={t('desks.tags.bar')}>
      <span className={classes.word}>{t('desks.tags.hint')}</span>
      <span className={classes.space} />
      <ChoiceSwitch name="nextAfterTag" label={t('desks.tags.nextFrame')} />
    </div>
  );
}
