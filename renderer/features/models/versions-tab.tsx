import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionChanges } from '../../../preload/contract/schema/function-versions.ts';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { formatDate } from '../../shared/format-text.ts';
import { Button, Dimmed, Group, Hint, Mono, SmallButton, Text, ChoiceField } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DataTable, NumberCell, RowActions } from '../../ui/table.tsx';
import { useModelActions } from './function/use-model-actions.ts';
import classes from './versions.module.css';
import { timeText } from './function/model-text.ts';

/** The retention of the numbers, within the service's limit. */
const numbersHours = 720;

export function VersionsTab({ model, onLog }: { readonly model: ModelFunction; readonly onLog: () => void }) {
  const t = useText();
  const { name, updated_date: date } = model;
  const versions = useQuery({ ...modelQueries.versions(name, date), refetchOnMount: 'always' });
  const numbers = useQuery(modelQueries.numbers(name, numbersHours)).data;
  const [shown, setShown] = useState<number | null>(null);
  const [since, setSince] = useState<number | null>(null);
  const actions = useModelActions(model);
  const rollBack = async (version: number): Promise<void> => {
    if (await actions.rollBack(version)) onLog();
  };
  const counts = (['calls', 'errors', 'p50', 'p95'] as const).map((column) => t(`modelNumbers.columns.${column}`));
  return (
    <Loaded query={versions}>
      {({ versions: kept, max_count: count }) => {
        const version = kept.find((one) => one.version === shown)?.version ?? kept[0]?.version;
        const others = kept.map((one) => one.version).filter((one) => one !== version);
        const against = others.find((one) => one === since) ?? others.find((one) => one < (version ?? 0)) ?? others[0];
        if (version === undefined) return <Text fz="sm">{t('modelVersions.empty')}</Text>;
        return (
          <>
            <DataTable
              label={t('modelNumbers.versions')}
              columns={[t('modelNumbers.version'), t('modelVersions.deployed'), t('modelVersions.from'), ...counts]}
              numbers={new Set(counts)}
            >
              {kept.map((one) => {
                const called = numbers?.versions.find((other) => other.version === one.version);
                const time = (ms: number | null | undefined) =>
                  ms === null || ms === undefined ? '–' : timeText(ms, t);
                return (
                  <tr key={one.version} data-testid="kept-version">
                    <th scope="row">
                      {one.version}
                      {one.is_current && <Hint span>{` · ${t('modelVersions.answers')}`}</Hint>}
                    </th>
                    <td>{formatDate(one.created_date)}</td>
                    <td>
                      <Mono>{one.directory ?? one.image ?? ''}</Mono>
                    </td>
                    <NumberCell>{formatNumber(called?.call_count ?? 0)}</NumberCell>
                    <NumberCell>{formatNumber(called?.error_count ?? 0)}</NumberCell>
                    <NumberCell>{time(called?.p50_ms)}</NumberCell>
                    <NumberCell>{time(called?.p95_ms)}</NumberCell>
                    <RowActions>
                      <Group gap="xs" justify="flex-end" wrap="nowrap">
                        {kept.length > 1 && (
                          <Button
                            size="xs"
                            variant="subtle"
                            aria-pressed={one.version === version}
                            aria-label={t('modelVersions.showOf', { version: one.version })}
                            onClick={() => setShown(one.version)}
                          >
                            {t('modelVersions.show')}
                          </Button>
                        )}
                        <SmallButton
                          disabled={one.is_current || model.state === 'building'}
                          aria-label={t('modelVersions.rollBackTo', { version: one.version })}
                          onClick={() => void rollBack(one.version)}
                        >
                          {t('modelVersions.rollBack')}
                        </SmallButton>
                      </Group>
                    </RowActions>
                  </tr>
                );
              })}
            </DataTable>
            <Hint mt="xs" mb="lg">
              {t('modelVersions.kept', { count })}
            </Hint>
            {against === undefined ? (
              <Text fz="sm">{t('modelVersions.only')}</Text>
            ) : (
              <>
                <Group gap="sm" mb="sm">
                  <Text fz="sm" fw={600}>
                    {t('modelVersions.changes', { version })}
                  </Text>
                  <ChoiceField
                    size="xs"
                    w={140}
                    aria-label={t('modelVersions.since')}
                    data={others.map((one) => ({
                      value: String(one),
                      label: t('modelVersions.sinceOf', { version: one }),
                    }))}
                    value={String(against)}
                    onChange={(value) => setSince(Number(value))}
                  />
                </Group>
                <Changes name={name} version={version} since={against} />
              </>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface Compared {
  readonly name: string;
  readonly version: number;
  readonly since: number;
}

function Changes({ name, version, since }: Compared) {
  const t = useText();
  const changes = useQuery(modelQueries.versionChanges(name, version, since));
  return (
    <Loaded query={changes}>
      {({ files, variables, knows_files: knowsFiles }) => (
        <>
          {files.length === 0 && variables.length === 0 && <Text fz="sm">{t('modelVersions.same')}</Text>}
          {files.map((file) => (
            <FileChange key={file.path} file={file} />
          ))}
          {variables.length > 0 && <Text fz="sm">{t('modelVersions.variables', { names: variables.join(', ') })}</Text>}
          {!knowsFiles && <Dimmed>{t('modelVersions.filesUnknown')}</Dimmed>}
        </>
      )}
    </Loaded>
  );
}

const marks = { same: ' ', added: '+', removed: '−', skipped: '' } as const;

function FileChange({ file: { path, change, lines } }: { readonly file: VersionChanges['files'][number] }) {
  const t = useText();
  return (
    <section className={classes.file} aria-label={path}>
      <h3 className={classes.path}>
        <Mono>{path}</Mono>
        <Hint span>{t(`modelVersions.change.${change}`)}</Hint>
      </h3>
      {lines === null ? (
        <Dimmed p="xs">{t('modelVersions.noText')}</Dimmed>
      ) : (
        <div className={classes.lines} tabIndex={0} role="region" aria-label={t('modelVersions.lines', { path })}>
          {lines.map(({ kind, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines are identified by their position
            <div key={index} className={classes.line} data-kind={kind}>
              <span aria-hidden>{marks[kind]}</span>
              <span>{kind === 'skipped' ? t('modelVersions.skipped', { count: Number(text) }) : text}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
