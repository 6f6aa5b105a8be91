import { placeOf, snapshotOf } from '../../db/changes.ts';
import { toldOf } from '../../db/columns.ts';
import { projectColumns, type ProjectRow } from '../tables/project-table.ts';
import type { Rows } from '../tables/rows.ts';
import { presentProject } from './project-presenter.ts';

export const projectSnapshot = ({ projects }: { readonly projects: Pick<Rows<ProjectRow>, 'get'> }) =>
  snapshotOf(projects.get, (row) => ({
    place: () => placeOf({ project_id: row.id, organization_id: row.organization_id }),
    columns: toldOf(projectColumns, row),
    present: (baseUrl) => presentProject(row, baseUrl),
  }));
