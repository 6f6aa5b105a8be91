import type { KindCount, LabelStatistics } from '../../../preload/contract/schema/statistics.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import classes from './statistics.module.css';

const columns = ['objects', 'tracks', 'keyframes', 'interpolated'] as const;

const sumOf = (kinds: readonly KindCount[], column: (typeof columns)[number]): number =>
  kinds.reduce((sum, kind) => sum + kind[column], 0);

/** Labels × kinds; labels without objects are in the chart. */
export function KindTable({ labels }: { readonly labels: readonly LabelStatistics[] }) {
  const t = useText();
  const rows = labels.flatMap((label) => label.kinds.map((kind) => ({ label, kind })));
  const kinds = rows.map(({ kind }) => kind);
  return (
    <table className={classes.table} aria-label={t('statistics.kinds')}>
      <thead>
        <tr>
          <th scope="col">{t('statistics.label')}</th>
          <th scope="col">{t('statistics.type')}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={classes.number}>
              {t(`statistics.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, kind }) => (
          <tr key={`${label.id} ${kind.type}`}>
            <th scope="row">
              <span className={classes.tableName}>
                <span className={classes.swatch} style={{ background: label.color }} />
                {label.name}
              </span>
            </th>
            <td>{kind.type === 'tag' ? t('statistics.tag') : t(`labels.types.${kind.type}`)}</td>
            {columns.map((column) => (
              <td key={column} className={classes.number}>
                {formatNumber(kind[column])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t('statistics.total')}
          </th>
          {columns.map((column) => (
            <td key={column} className={classes.number}>
              {formatNumber(sumOf(kinds, column))}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
