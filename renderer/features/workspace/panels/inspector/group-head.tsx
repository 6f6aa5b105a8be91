import { useText } from '../../../../i18n/index.ts';
import { useAnnotate } from '../session-context.ts';
import classes from './inspector.module.css';
import type { GroupKey, ObjectGroup } from './object-groups.ts';
import { formatNumber } from '../../../../i18n/language.ts';
import { useLabelColor } from '../scene-hooks.ts';

function useGroupName(): (key: GroupKey) => string {
  const t = useText();
  const labels = useAnnotate((state) => state.labels);
  return (key) => {
    switch (key.by) {
      case 'label':
        return labels.find(({ id }) => id === key.labelId)?.name ?? '?';
      case 'layer':
        return key.zOrder === null ? t('objectList.tags') : t('objectList.layer', { layer: key.zOrder });
      case 'track':
        return t(`objectList.${key.kind}s`);
      case 'group':
        return key.group === 0 ? t('objectList.noGroup') : t('editing.groupName', { group: key.group });
    }
  };
}

export function GroupHead({ group: { key, count } }: { readonly group: ObjectGroup }) {
  const nameOf = useGroupName();
  const labels = useAnnotate((state) => state.labels);
  const colorOf = useLabelColor();
  const label = key.by === 'label' ? labels.find(({ id }) => id === key.labelId) : undefined;
  return (
    <div className={classes.groupHead} data-testid="group-head">
      {label !== undefined && <span className={classes.groupSwatch} style={{ background: colorOf(label) }} />}
      <span className={classes.groupName} title={nameOf(key)}>
        {nameOf(key)}
      </span>
      <span className={classes.count}>{formatNumber(count)}</span>
    </div>
  );
}
