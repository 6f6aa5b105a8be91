import { useQuery } from '@tanstack/react-query';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Text } from '../../ui/kit.ts';

const namedAtMost = 3;

/** Which pictures of files used in place are not the ones that were annotated; nothing where all are. */
export function ChangedPictures({ task }: { readonly task: Task }) {
  const t = useText();
  const hasImages = task.mode === 'annotation' && (task.size ?? 0) > 0;
  const meta = useQuery({ ...queries.taskMeta(task.id), enabled: hasImages, refetchOnMount: 'always' });
  const changed = (meta.data?.frames ?? []).filter((frame) => frame.limner_state !== undefined);
  if (changed.length === 0) return null;
  const named = changed.slice(0, namedAtMost).map(({ name, limner_state }) => {
    return limner_state === 'missing' ? t('tasks.missingPicture', { name }) : name;
  });
  const names = `${named.join(', ')}${changed.length > namedAtMost ? ', …' : ''}`;
  return (
    <Text fz="sm" role="status">
      {t('tasks.changedPictures', { count: changed.length, names })}
    </Text>
  );
}
