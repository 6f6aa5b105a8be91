import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ArrangedKind, arrangedKinds } from '../../../../preload/contract/schema/export-options.ts';
import type {
  FramePreview,
  FramePreview as Picture,
  WrittenObject,
} from '../../../../preload/contract/schema/frame-preview.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Group, Hint, Loader, PartName, Text } from '../../../ui/kit.ts';
import { reasonText } from '../report-view.tsx';
import classes from './export-preview.module.css';
import { isDrawn, objectPaths, type DrawnObject } from '../../object-paths.ts';
import type { FramePreviews } from './use-export-preview.ts';

const sumOf = (rows: readonly { readonly count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);
const isKind = (type: string): type is ArrangedKind => arrangedKinds.some((kind) => kind === type);

/** Number of written and dropped objects of a frame, and changes by the format. */
function NotWritten({ seen }: { readonly seen: FramePreview }) {
  const t = useText();
  const { objects, more_objects: more, left_out: leftOut, losses, is_read_back: isReadBack } = seen;
  const tags = objects.filter(({ type }) => type === 'tag').map(({ label }) => label);
  const lost = losses.filter((row) => !row.is_written && isKind(row.type));
  const changed = losses.filter((row) => row.is_written || !isKind(row.type));
  const whatOf = (type: string, label: string): string => {
    const kind = isKind(type) ? t(`arranging.kindNames.${type}`) : type;
    return label === '' ? kind : `${label} (${kind})`;
  };
  return (
    <div className={classes.notes} aria-live="polite">
      <Text fz="xs">{t('arranging.writtenCount', { count: objects.length + more })}</Text>
      {tags.length > 0 && <Text fz="xs">{t('arranging.tagsOfFrame', { names: tags.join(', ') })}</Text>}
      {more > 0 && <Text fz="xs">{t('arranging.notDrawn', { count: more })}</Text>}
      {!isReadBack && <Text fz="xs">{t('arranging.notReadBack')}</Text>}
      <Rows
        title={t('arranging.notWritten', { count: sumOf(leftOut) + sumOf(lost) })}
        rows={[
          ...leftOut.map(({ kind, label, count, reason }) =>
            t('arranging.lossRow', { count, what: whatOf(kind, label), why: t(`arranging.leftOut.${reason}`) }),
          ),
          ...lost.map(({ type, label, count, rule }) =>
            t('arranging.lossRow', { count, what: whatOf(type, label), why: reasonText(t, rule) }),
          ),
        ]}
      />
      <Rows
        title={t('arranging.changed')}
        rows={changed.map(({ type, label, count, rule }) =>
          t('arranging.lossRow', { count, what: whatOf(type, label), why: reasonText(t, rule) }),
        )}
      />
    </div>
  );
}

function Rows({ title, rows }: { readonly title: string; readonly rows: readonly string[] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Text fz="xs" fw={500}>
        {title}
      </Text>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </div>
  );
}

/** A notice appears only after this delay. */
const patienceMs = 500;
/** Approximate size on screen. */
const shownPx = 420;

/** Preview of an exported frame: written objects with their positions, and dropped ones. */
export function FramePreview({ pictures }: { readonly pictures: FramePreviews }) {
  const t = useText();
  const { picture, place, step, target } = pictures;
  const { data, error, isFetching } = picture;
  const isLong = useIsLong(isFetching);
  const seen = error ? undefined : data;
  return (
    <section className={classes.panel} aria-label={t('arranging.picture')} data-testid="export-picture">
      <div className={classes.head}>
        <PartName truncate title={seen?.frame?.name}>
          {seen?.frame?.name ?? t('arranging.picture')}
        </PartName>
        <Group gap={4} wrap="nowrap">
          {isLong && <Loader size="xs" aria-label={t('arranging.drawing')} role="status" />}
          <IconButton
            label={t('arranging.previousFrame')}
            icon={<IconChevronLeft size={16} />}
            disabled={place === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label={t('arranging.nextFrame')}
            icon={<IconChevronRight size={16} />}
            disabled={seen?.has_next !== true}
            onClick={() => step(1)}
          />
        </Group>
      </div>
      {error && (
        <Text fz="xs" c="var(--mantine-color-error)" role="alert">
          {error.message}
        </Text>
      )}
      {seen?.frame === null && <Hint>{t('arranging.noPicture')}</Hint>}
      {seen?.frame && (
        <>
          <Drawing seen={seen} frame={seen.frame} target={target} isOld={isLong} />
          <Hint data-testid="export-picture-name" className={classes.name ?? ''}>
            {t(seen.frame.subset === null ? 'arranging.writtenAs' : 'arranging.writtenIn', {
              name: seen.frame.written_name,
              part: seen.frame.subset ?? '',
              width: formatNumber(seen.frame.width),
              height: formatNumber(seen.frame.height),
            })}
          </Hint>
          <NotWritten seen={seen} />
        </>
      )}
    </section>
  );
}

function useIsLong(isFetching: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isFetching) return;
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isFetching]);
  return isLong;
}

interface DrawingProps {
  readonly seen: Picture;
  readonly frame: NonNullable<Picture['frame']>;
  readonly target: FramePreviews['target'];
  readonly isOld: boolean;
}

function Drawing({ seen, frame, target, isOld }: DrawingProps) {
  const t = useText();
  const { width, height } = frame;
  const pixel = Math.max(width, height) / shownPx;
  const of = target.kind === 'job' ? `jobs/${target.id}` : `tasks/${frame.task_id}`;
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('arranging.pictureOf', { name: frame.name })}
      data-old={isOld || undefined}
    >
      <image
        href={`/api/${of}/data?type=frame&number=${frame.frame}&quality=compressed`}
        width={width}
        height={height}
        preserveAspectRatio="none"
      />
      {seen.objects.filter(isDrawn).map((object, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the objects of one answer never move
        <ObjectDrawing key={index} object={object} pixel={pixel} width={width} />
      ))}
    </svg>
  );
}

interface ObjectDrawingProps {
  readonly object: WrittenObject & DrawnObject;
  readonly pixel: number;
  readonly width: number;
}

function ObjectDrawing({ object, pixel, width }: ObjectDrawingProps) {
  const { area, line, dot, left, top } = objectPaths(object, pixel);
  const size = 11 * pixel;
  const plate = size * (0.6 * object.label.length + 0.8);
  const x = Math.max(0, Math.min(left, width - plate));
  const y = Math.max(0, top - size * 1.5);
  const common = { stroke: object.color, vectorEffect: 'non-scaling-stroke' as const };
  return (
    <g data-label={object.label} data-type={object.type}>
      {area !== '' && <path d={area} fill={object.color} fillOpacity={0.2} fillRule="evenodd" {...common} />}
      {line !== '' && <path d={line} fill="none" {...common} />}
      {dot !== '' && <path d={dot} fill={object.color} {...common} />}
      <rect className={classes.plate} x={x} y={y} width={plate} height={size * 1.4} rx={2 * pixel} />
      <text className={classes.plateText} x={x + size * 0.4} y={y + size * 1.05} fontSize={size}>
        {object.label}
      </text>
    </g>
  );
}
