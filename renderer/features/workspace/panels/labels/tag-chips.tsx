import { IconX } from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { ActionIcon } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import classes from '../canvas-area.module.css';
import { useAnnotate, useSession } from '../session-context.ts';
import { LabelDot } from './label-box.tsx';
import { useTags } from '../scene-hooks.ts';

export function TagChips() {
  const t = useText();
  const { engine } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const tags = useTags();
  if (tags.length === 0) return null;
  return (
    <div className={classes.tags} role="list" aria-label={t('annotate.tags')} onMouseDown={keepFocus}>
      {tags.map((tag) => {
        const label = labels.find((item) => item.id === tag.labelId);
        const name = label?.name ?? String(tag.labelId);
        return (
          <span key={tag.clientId} className={classes.tag} role="listitem">
            <LabelDot color={label?.color} />
            {name}
            <ActionIcon
              size={18}
              variant="subtle"
              color="gray"
              radius="xl"
              aria-label={t('annotate.removeTag', { name })}
              onClick={() => engine.remove([tag.clientId])}
            >
              <IconX size={12} />
            </ActionIcon>
          </span>
        );
      })}
    </div>
  );
}
