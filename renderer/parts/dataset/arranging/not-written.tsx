import { type ArrangedKind, arrangedKinds } from '../../../../preload/contract/schema/arrangement.ts';
import type { ExportPicture } from '../../../../preload/contract/schema/export-picture.ts';
import { useText } from '../../../i18n/index.ts';
import { Text } from '../../../ui/kit.ts';
import { reasonText } from '../reason-text.ts';
import classes from './export-picture.module.css';

const sumOf = (rows: readonly { readonly count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);
const isKind = (type: string): type is ArrangedKind => arrangedKinds.some((kind) => kind === type);

/** How many objects of a frame are written, which are not, and what the format changes. */
export function NotWritten({ seen }: { readonly seen: ExportPicture }) {
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
