import type { BodyInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { operationQuery, keepsPrevious } from './query-options.ts';

export type DeployInput = BodyInputOf<Operations['deployModel']>;

export const modelQueries = {
  engine: () => operationQuery(['models', 'engine'], 'getEngineStatus', {}),
  engines: () => operationQuery(['models', 'engines'], 'listModelEngines', {}),
  /** Connects to the Engine. Kept until it is tested again. */
  engineTest: (name: string) =>
    operationQuery(['models', 'engine-test', name], 'testModelEngine', { params: { name } }, { staleTime: Infinity }),
  sources: () => operationQuery(['models', 'sources'], 'listModelSources', {}),
  sourceTest: (id: string) =>
    operationQuery(['models', 'source-test', id], 'testModelSource', { body: { id } }, { staleTime: Infinity }),
  list: () => operationQuery(['models', 'list'], 'listModels', {}),
  one: (name: string) => operationQuery(['models', 'one', name], 'getModel', { params: { name } }),
  address: (name: string) =>
    operationQuery(
      ['models', 'address', name],
      'checkModelAddress',
      { params: { name } },
      { retry: false, staleTime: 0 },
    ),
  numbers: (name: string, hours: number) =>
    operationQuery(
      ['models', 'numbers', name, hours],
      'getModelMetrics',
      { params: { name }, query: { hours } },
      keepsPrevious,
    ),
  /** @param date of the last deployment: what is kept changes with it */
  versions: (name: string, date: string) =>
    operationQuery(['models', 'versions', name, date], 'listModelVersions', { params: { name } }, keepsPrevious),
  versionChanges: (name: string, version: number, since: number) =>
    operationQuery(['models', 'versions', name, 'changes', version, since], 'getVersionChanges', {
      params: { name, version },
      query: { since },
    }),
  modelFile: (name: string) => operationQuery(['models', 'files', name], 'getModelFile', { params: { name } }),
  images: () => operationQuery(['models', 'images'], 'listModelImages', {}),
  samples: () => operationQuery(['models', 'samples'], 'listModelSamples', {}, { staleTime: Infinity }),
  dashboards: () => operationQuery(['models', 'dashboards'], 'listDashboards', {}),
  check: (body: DeployInput) =>
    operationQuery(
      ['models', 'check', body],
      'checkModel',
      { body },
      {
        ...keepsPrevious, // The folder and the Engine may change while the form is open.
        staleTime: 0,
        gcTime: 0,
      },
    ),
};
