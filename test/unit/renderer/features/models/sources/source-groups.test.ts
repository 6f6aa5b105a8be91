import { expect, it } from 'vitest';
import type { ModelFunction, ModelSource } from '../../../../../../preload/contract/schema/functions.ts';
import { groupBySource } from '../../../../../../renderer/features/models/sources/source-groups.ts';

const model = (name: string, more: Partial<ModelFunction>) =>
  ({ name, provider: 'limner', address: null, engine: null, ...more }) as ModelFunction;
const source = (id: string, kind: ModelSource['kind'], models: string[], address = id): ModelSource => ({
  id,
  kind,
  address,
  models,
  state: 'unknown',
  message: '',
  latency_ms: null,
  tested_date: null,
});
const models = [
  model('seams', { address: 'http://127.0.0.1:8000/v2/models/seams' }),
  model('far', { provider: 'url', address: 'http://127.0.0.1:9' }),
  model('yolo', { provider: 'docker', engine: 'gpu-box' }),
  model('cars', {}),
  model('cracks', { address: 'http://127.0.0.1:8000/v2/models/cracks' }),
  model('agent', { provider: 'native' }),
  model('seer', { provider: 'url', address: 'http://127.0.0.1:8080/v1', fills_attributes: true }),
];

const shown = (sources: readonly ModelSource[]) =>
  groupBySource({ models, engines: [], sources }).map(({ kind, place, models: own, elsewhere }) => [
    kind,
    place,
    [...own.map(({ name }) => name), ...elsewhere].join(' '),
  ]);
const expected = [
  ['file', '', 'cars'],
  ['engine', 'gpu-box', 'yolo'],
  ['agents', '', 'agent'],
  ['inference', 'http://127.0.0.1:8000', 'seams cracks'],
  ['chat', 'http://127.0.0.1:8080/v1', 'seer'],
  ['url', 'http://127.0.0.1:9', 'far'],
];

it('groups models by file, Engine, agent, inference server, chat endpoint and address', () => {
  const sources = [
    source('http://127.0.0.1:8000', 'inference', ['seams', 'cracks']),
    source('http://127.0.0.1:9', 'url', ['far']),
    source('http://127.0.0.1:8080/v1', 'chat', ['seer']),
  ];
  expect(shown(sources)).toEqual(expected);
});

it('groups models for users to whom sources are not listed', () => {
  expect(shown([])).toEqual(expected);
});

it('lists a Nuclio dashboard with the functions that its test found', () => {
  const dashboards = [source('nuclio-1', 'nuclio', ['sam', 'dextr'], 'http://10.0.0.5:8070')];
  expect(shown(dashboards).at(-1)).toEqual(['nuclio', 'http://10.0.0.5:8070', 'sam dextr']);
});
