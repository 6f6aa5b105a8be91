import {
  IconDiamondFilled,
  IconFileImport,
  IconLogout2,
  IconPinFilled,
  IconRoute,
  IconShadow,
  IconSparkles,
} from '@tabler/icons-react';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { formatFixed } from '../../../../i18n/language.ts';
import classes from './inspector.module.css';

/** Source of the object unless it was drawn manually. */
const Source = ({ record: { source } }: { readonly record: SceneRecord }) => {
  const t = useText();
  if (source === 'manual') return null;
  const Icon = source === 'file' ? IconFileImport : IconSparkles;
  const name = t(`statistics.source.${source}`);
  return (
    <span title={name} data-testid="source">
      <Icon size={13} stroke={1.5} aria-label={name} role="img" />
    </span>
  );
};

/** State of an object on this frame, and the score of a model. */
export const ObjectMarks = ({ record }: { readonly record: SceneRecord }) => {
  const t = useText();
  if (record.kind === 'tag') {
    return (
      <span className={classes.marks}>
        <Source record={record} />
      </span>
    );
  }
  const { keyframe, occluded, outside, pinned, trackId, score, source } = record;
  const isTrack = trackId !== undefined;
  return (
    <>
      <span className={classes.marks} {...(isTrack ? { 'data-testid': 'track-marks' } : {})}>
        {occluded && <IconShadow size={13} stroke={1.5} aria-label={t('objectList.occluded')} />}
        {pinned === true && <IconPinFilled size={12} aria-label={t('objectList.pinned')} />}
        <Source record={record} />
        {isTrack && outside && <IconLogout2 size={13} stroke={1.5} aria-label={t('track.outside')} />}
        {isTrack && keyframe === true && <IconDiamondFilled size={9} aria-label={t('track.isKeyframe')} />}
        {isTrack && <IconRoute size={14} stroke={1.5} aria-label={t('annotate.shape.track')} />}
      </span>
      {(source === 'auto' || source === 'semi-auto' || score < 1) && !isTrack && (
        <span className={classes.score} title={t('objectList.score')} data-testid="score">
          {formatFixed(score, 2)}
        </span>
      )}
    </>
  );
};
