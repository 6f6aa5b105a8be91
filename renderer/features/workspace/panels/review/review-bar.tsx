import { IconMessagePlus } from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { Kbd, Switch } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useSession, useWorkspace } from '../session-context.ts';
import chips from '../chips.module.css';
import bars from '../workspace.module.css';
import classes from '../modes/modes.module.css';
import { useReview } from './use-review.ts';

export function ReviewBar() {
  const t = useText();
  const { review } = useSession();
  const { actions } = useWorkspace();
  const armed = useReview((state) => state.armed);
  const editing = useReview((state) => state.editing);
  // The list includes the last texts.
  useReview((state) => state.last);
  return (
    <div className={bars.labels} role="toolbar" aria-label={t('modes.review.bar')} onMouseDown={keepFocus}>
      <button
        type="button"
        className={chips.chip}
        aria-pressed={armed !== null && armed.message === null}
        onClick={() => actions.run('review.new')}
      >
        <IconMessagePlus size={14} />
        {t('modes.review.new')}
        <Kbd size="xs">N</Kbd>
      </button>
      <div className={chips.chips}>
        {review.quickTexts().map((message, index) => (
          <button
            key={message}
            type="button"
            className={chips.chip}
            title={message}
            aria-pressed={armed?.message === message}
            onClick={() => actions.run(`review.quick${index + 1}`)}
          >
            <span className={classes.key}>{index + 1}</span>
            <span className={chips.name}>{message}</span>
          </button>
        ))}
      </div>
      {armed !== null && (
        <span className={classes.hint} role="status">
          {t('modes.review.where')}
        </span>
      )}
      <Switch
        size="xs"
        label={t('modes.review.edit')}
        checked={editing}
        onChange={(isOn) => review.state.setState({ editing: isOn })}
      />
    </div>
  );
}
