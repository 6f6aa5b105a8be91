import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type {
  RequirementItem,
  RequirementTree,
  TargetMetric,
} from '../../../../preload/contract/schema/quality-requirements.ts';
import type { QualityReport, QualitySettings } from '../../../../preload/contract/schema/quality.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Dimmed, SmallButton } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { NewRequirement } from './new-requirement.tsx';
import { RequirementForm } from './requirement-form.tsx';
import { RequirementList } from './requirement-list.tsx';
import { RequirementMatrix } from './requirement-matrix.tsx';
import { changesSince, type RequirementResult, treeRows, type TreeRow } from './requirement-tree.ts';
import { requirementName, scopeText } from './requirement-words.ts';
import classes from './requirements.module.css';

export interface RequirementsPlace {
  readonly kind: 'task' | 'project';
  readonly id: number;
  /** Project of a task. */
  readonly projectId: number | null;
}

interface SectionProps {
  readonly place: RequirementsPlace;
  readonly report: QualityReport | undefined;
}

/** Requirements of a task or project with their results in a report. A task may use those of its project. */
export function RequirementsSection({ place, report }: SectionProps) {
  const own = useQuery({ ...qualityQueries.settings(place), refetchOnMount: 'always' });
  const labels = useQuery(queries.labels(place.kind === 'task' ? { task_id: place.id } : { project_id: place.id }));
  return (
    <Loaded query={own}>
      {(settings) =>
        settings !== null && (
          <Loaded query={labels}>
            {(known) =>
              settings.inherit && place.projectId !== null ? (
                <OfProject place={place} projectId={place.projectId} own={settings} report={report} labels={known} />
              ) : (
                <Requirements settings={settings} report={report} labels={known} />
              )
            }
          </Loaded>
        )
      }
    </Loaded>
  );
}

interface OfProjectProps extends SectionProps {
  readonly projectId: number;
  readonly own: QualitySettings;
  readonly labels: readonly Label[];
}

function OfProject({ projectId, own, report, labels }: OfProjectProps) {
  const t = useText();
  const settings = useQuery({
    ...qualityQueries.settings({ kind: 'project', id: projectId }),
    refetchOnMount: 'always',
  });
  const copy = useChange((from: QualitySettings) => copyToTask(own, from.requirements), {
    reloads: [
      ['quality', 'settings'],
      ['quality', 'requirement'],
    ],
    failed: t('requirements.title'),
  });
  return (
    <Loaded query={settings}>
      {(found) =>
        found !== null && (
          <Requirements
            settings={found}
            report={report}
            labels={labels}
            inheritedNote={
              <>
                {t('requirements.fromProject')}{' '}
                <Link to="/projects/$projectId" params={{ projectId: String(projectId) }} search={{ tab: 'quality' }}>
                  {t('requirements.openProject')}
                </Link>
                <SmallButton loading={copy.isPending} onClick={() => copy.mutate(found)}>
                  {t('requirements.useOwn')}
                </SmallButton>
              </>
            }
          />
        )
      }
    </Loaded>
  );
}

/** Fields of a requirement that a copy has. */
function writtenFields(item: RequirementItem) {
  const { id: _id, settings_id: _settings, task_id: _task, project_id: _project, is_base: _base, ...rest } = item;
  const { created_date: _created, updated_date: _updated, parent_requirement: _parent, ...fields } = rest;
  return fields;
}

/**
 * Ends the inheritance of a task. Requirements that it had before apply again; without any, it gets a copy of the
 * project's.
 */
async function copyToTask(own: QualitySettings, requirements: readonly RequirementItem[]): Promise<void> {
  const base = own.requirements.find((item) => item.is_base);
  if (own.requirements.length === 1 && base !== undefined) {
    const rows = treeRows(requirements);
    const treeOf = ({ item, level, below }: TreeRow): RequirementTree => ({
      ...writtenFields(item),
      children: rows.filter((row) => row.level === level + 1 && below.some(({ id }) => id === row.item.id)).map(treeOf),
    });
    const trees = rows.filter(({ level }) => level === 1).map(treeOf);
    const [root] = rows;
    if (root !== undefined) {
      const { name: _name, ...fields } = writtenFields(root.item);
      await call('updateQualityRequirement', { params: { id: base.id }, body: fields });
    }
    if (trees.length > 0)
      await call('createQualityRequirements', { body: { settings_id: own.id, requirements: trees } });
  }
  await call('updateQualitySettings', { params: { id: own.id }, body: { inherit: false } });
}

interface RequirementsProps {
  readonly settings: QualitySettings;
  readonly report: QualityReport | undefined;
  readonly labels: readonly Label[];
  readonly inheritedNote?: React.ReactNode;
}

/** The metric of a requirement, or the one that it inherits. */
function metricOf({ item }: TreeRow, rows: readonly TreeRow[]): TargetMetric {
  if (item.metric !== null) return item.metric;
  const above = rows.findLast((row) => row.item.metric !== null && row.below.some(({ id }) => id === item.id));
  return above?.item.metric ?? 'accuracy';
}

const reloads = [
  ['quality', 'settings'],
  ['quality', 'requirement'],
] as const;

function Requirements({ settings, report, labels, inheritedNote }: RequirementsProps) {
  const t = useText();
  const [chosen, setChosen] = useState<number | null>(null);
  /** Parent of the new requirement. */
  const [addsTo, setAddsTo] = useState<number | null>(null);
  const isInherited = inheritedNote !== undefined;
  const items = settings.requirements;
  const rows = treeRows(items);
  const row = rows.find(({ item }) => item.id === chosen) ?? rows[0];
  const results = new Map<number, RequirementResult>(
    (report?.summary.requirements.items ?? []).flatMap((one) =>
      one.requirement_id === null ? [] : [[one.requirement_id, one]],
    ),
  );
  const remove = useChange((id: number) => call('deleteQualityRequirement', { params: { id } }), {
    reloads,
    failed: t('requirements.title'),
  });
  const move = useChange(
    (order: readonly RequirementItem[]) =>
      Promise.all(
        order.flatMap(({ id, sort_order: before }, place) =>
          before === place ? [] : [call('updateQualityRequirement', { params: { id }, body: { sort_order: place } })],
        ),
      ),
    { reloads, failed: t('requirements.title') },
  );
  if (row === undefined) return null;
  const result = results.get(row.item.id);
  const changed = report === undefined ? 0 : changesSince(report, items);

  async function askRemoval({ item, below }: TreeRow): Promise<void> {
    if (item.is_base || isInherited) return;
    const name = requirementName(item, t);
    const isSure = await ask({
      title: t('requirements.deleteTitle', { name }),
      text: below.length === 0 ? t('requirements.deleteText') : t('requirements.deleteBelow', { count: below.length }),
      confirm: t('common.delete'),
    });
    if (isSure) remove.mutate(item.id);
  }
  function moveBy({ item, siblings }: TreeRow, step: -1 | 1): void {
    const from = siblings.findIndex(({ id }) => id === item.id);
    const other = siblings[from + step];
    if (other === undefined || move.isPending) return;
    const order = siblings.map((one, place) => (place === from ? other : place === from + step ? item : one));
    move.mutate(order);
  }

  return (
    <section className={classes.section}>
      {changed > 0 && <p className={classes.changed}>{t('requirements.changed', { count: changed })}</p>}
      {isInherited && <p className={classes.from}>{inheritedNote}</p>}
      <div className={classes.grid}>
        <section className={classes.panel} aria-label={t('requirements.title')}>
          <header className={classes.head}>
            <h2>{t('requirements.title')}</h2>
            {!isInherited && (
              <SmallButton leftSection={<IconPlus size={14} />} onClick={() => setAddsTo(rows[0]?.item.id ?? null)}>
                {t('requirements.add')}
              </SmallButton>
            )}
          </header>
          <RequirementList
            rows={rows}
            results={results}
            selected={row.item.id}
            scopeOf={({ item }) => scopeText(item, labels, t)}
            metricOf={(one) => metricOf(one, rows)}
            onSelect={setChosen}
            onMove={isInherited ? undefined : moveBy}
            onDelete={isInherited ? undefined : (one) => void askRemoval(one)}
          />
          <Dimmed className={classes.hint}>
            {t(rows.length === 1 && !isInherited ? 'requirements.onlyBase' : 'requirements.listHint')}
            {rows.length > 1 && !isInherited && ` ${t('requirements.keys')}`}
          </Dimmed>
        </section>
        <RequirementForm
          key={row.item.id}
          row={row}
          all={items}
          labels={labels}
          isInherited={isInherited}
          onAdd={() => setAddsTo(row.item.id)}
          onDelete={() => void askRemoval(row)}
        />
        <RequirementMatrix
          name={requirementName(row.item, t)}
          isEnabled={row.item.enabled}
          report={report}
          result={result}
        />
      </div>
      {addsTo !== null && (
        <NewRequirement
          settingsId={settings.id}
          items={items}
          labels={labels}
          parentId={addsTo}
          onCreated={setChosen}
          onClose={() => setAddsTo(null)}
        />
      )}
    </section>
  );
}
