import type { GitLeft } from '../../../preload/contract/schema/git.ts';
import { useText } from '../../i18n/index.ts';
import { Dimmed, PartName, Title } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import classes from './conflicts.module.css';

type Left = readonly GitLeft[];

/** Says that not every task had a part in what was done; which ones, and why, stands in the list. */
export function tellLeft(t: ReturnType<typeof useText>, left: Left): void {
  const [first] = left;
  if (first === undefined) return;
  const rest = left.length > 1 ? ` ${t('git.leftMore', { count: left.length - 1 })}` : '';
  notify.failure(t('git.leftTitle', { count: left.length }), `${first.name}: ${first.reason}${rest}`);
}

/** The tasks that a pull or push leaves alone, and why. */
export function LeftList({ left }: { readonly left: Left }) {
  const t = useText();
  if (left.length === 0) return null;
  return (
    <section aria-label={t('git.leftTitle', { count: left.length })}>
      <Title order={2}>{t('git.leftTitle', { count: left.length })}</Title>
      <ul className={classes.left}>
        {left.map(({ task_id: taskId, name, reason }, index) => (
          <li key={taskId ?? `folder ${index}`}>
            <PartName span>{name}</PartName> <Dimmed span>{reason}</Dimmed>
          </li>
        ))}
      </ul>
    </section>
  );
}
