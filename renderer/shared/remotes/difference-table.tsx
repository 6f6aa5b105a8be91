import type { RemoteDifference } from '../../../preload/contract/schema/remotes.ts';
import { jobStages, jobStates } from '../../../preload/contract/schema/resources.ts';
import { type TextFunction, useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { Table } from '../../ui/kit.ts';

export interface DifferenceColumn {
  readonly name: string;
  readonly difference: RemoteDifference;
}

const counts = ['added', 'changed', 'removed', 'issues'] as const;

export const isNothing = ({ stage, ...difference }: RemoteDifference): boolean =>
  stage === null && counts.every((name) => difference[name] === 0);

/** For example `Validation, new`. */
function stageText(t: TextFunction, text: string | null): string {
  if (text === null) return '–';
  const [first, second] = text.split(', ');
  const stage = jobStages.find((one) => one === first);
  const state = jobStates.find((one) => one === second);
  if (stage === undefined || state === undefined) return text;
  return `${t(`tasks.status.${stage}`)}, ${t(`tasks.status.${state}`)}`;
}

/** Numbers of new, changed and deleted objects, of issues, and the stage and state, one column for each end. */
export function DifferenceTable({ columns }: { readonly columns: readonly DifferenceColumn[] }) {
  const t = useText();
  return (
    <Table verticalSpacing={5} horizontalSpacing={0} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          {columns.map(({ name }) => (
            <Table.Th key={name} scope="col" ta="end" pl={12} fw={500} fz="xs">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {counts.map((row) => (
          <Table.Tr key={row}>
            <Table.Th scope="row" fw={400}>
              {t(`remote.rows.${row}`)}
            </Table.Th>
            {columns.map(({ name, difference }) => (
              <Table.Td key={name} ta="end" pl={12}>
                {formatNumber(difference[row])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row" fw={400}>
            {t('remote.rows.stage')}
          </Table.Th>
          {columns.map(({ name, difference }) => (
            <Table.Td key={name} ta="end" pl={12}>
              {stageText(t, difference.stage)}
            </Table.Td>
          ))}
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
