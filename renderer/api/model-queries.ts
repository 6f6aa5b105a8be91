import type { BodyInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { asked, keepsPrevious } from './asked.ts';

export type DeployInput = BodyInputOf<Operations['deployModel']>;

export const modelQueries = {
  engine: () => asked(['models', 'engine'], 'getEngineStatus', {}),
  list: () => asked(['models', 'list'], 'listModels', {}),
  one: (name: string) => asked(['models', 'one', name], 'getModel', { params: { name } }),
  numbers: (name: string, hours: number) =>
    asked(['models', 'numbers', name, hours], 'getModelNumbers', { params: { name }, query: { hours } }, keepsPrevious),
  /** @param date of the last deployment: what is kept changes with it */
  versions: (name: string, date: string) =>
    asked(['models', 'versions', name, date], 'listModelVersions', { params: { name } }, keepsPrevious),
  versionChanges: (name: string, version: number, since: number) =>
    asked(['models', 'versions', name, 'changes', version, since], 'getVersionChanges', {
      params: { name, version },
      query: { since },
    }),
  weights: (name: string) => asked(['models', 'weights', name], 'getWeights', { params: { name } }),
  images: () => asked(['models', 'images'], 'listModelImages', {}),
  samples: () => asked(['models', 'samples'], 'listModelSamples', {}, { staleTime: Infinity }),
  dashboards: () => asked(['models', 'dashboards'], 'listDashboards', {}),
  check: (body: DeployInput) =>
    asked(
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
