import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BodyInputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { call } from './client.ts';

/** What a deployment is asked for, as it is typed. */
export type DeployInput = BodyInputOf<Operations['deployModel']>;

/** Model functions, the Engine that runs them, and what they can be made of. */
export const modelQueries = {
  engine: () =>
    queryOptions({ queryKey: ['models', 'engine'], queryFn: ({ signal }) => call('getEngineStatus', { signal }) }),
  list: () => queryOptions({ queryKey: ['models', 'list'], queryFn: ({ signal }) => call('listModels', { signal }) }),
  one: (name: string) =>
    queryOptions({
      queryKey: ['models', 'one', name],
      queryFn: ({ signal }) => call('getModel', { params: { name }, signal }),
    }),
  numbers: (name: string, hours: number) =>
    queryOptions({
      queryKey: ['models', 'numbers', name, hours],
      queryFn: ({ signal }) => call('getModelNumbers', { params: { name }, query: { hours }, signal }),
      placeholderData: keepPreviousData,
    }),
  /** @param date of the last deployment: what is kept changes with it */
  versions: (name: string, date: string) =>
    queryOptions({
      queryKey: ['models', 'versions', name, date],
      queryFn: ({ signal }) => call('listModelVersions', { params: { name }, signal }),
      placeholderData: keepPreviousData,
    }),
  versionChanges: (name: string, version: number, since: number) =>
    queryOptions({
      queryKey: ['models', 'versions', name, 'changes', version, since],
      queryFn: ({ signal }) => call('getVersionChanges', { params: { name, version }, query: { since }, signal }),
    }),
  weights: (name: string) =>
    queryOptions({
      queryKey: ['models', 'weights', name],
      queryFn: ({ signal }) => call('getWeights', { params: { name }, signal }),
    }),
  images: () =>
    queryOptions({ queryKey: ['models', 'images'], queryFn: ({ signal }) => call('listModelImages', { signal }) }),
  samples: () =>
    queryOptions({
      queryKey: ['models', 'samples'],
      queryFn: ({ signal }) => call('listModelSamples', { signal }),
      staleTime: Infinity,
    }),
  dashboards: () =>
    queryOptions({ queryKey: ['models', 'dashboards'], queryFn: ({ signal }) => call('listDashboards', { signal }) }),
  check: (body: DeployInput) =>
    queryOptions({
      queryKey: ['models', 'check', body],
      queryFn: ({ signal }) => call('checkModel', { body, signal }),
      placeholderData: keepPreviousData,
      // The folder and the Engine may have changed meanwhile.
      staleTime: 0,
      gcTime: 0,
    }),
};
