import { expect, test } from 'vitest';
import { parseConfigurationDocument } from '../../../../main/functions/configuration/parse-configuration.ts';
import { planResources } from '../../../../main/functions/policy/resource-plan.ts';

const capacity = { cpuCores: 2, memoryBytes: 8 * 2 ** 30 };
const plan = (limits: object) =>
  planResources(
    parseConfigurationDocument({ metadata: { name: 'f' }, spec: { resources: { limits } } }).configuration,
    capacity,
  );

test('every function has a limit on processors and memory', () => {
  expect(plan({})).toEqual({ cpuCores: 2, memoryBytes: 6 * 2 ** 30, workers: 1, warnings: [] });
});

test('limits within what is there are kept', () => {
  expect(plan({ cpu: '1500m', memory: '512Mi' })).toMatchObject({ cpuCores: 1.5, memoryBytes: 2 ** 29, warnings: [] });
});

test('limits beyond what is there are clamped, and said', () => {
  const { cpuCores, memoryBytes, warnings } = plan({ cpu: 16, memory: '64Gi' });
  expect(cpuCores).toBe(2);
  expect(memoryBytes).toBeLessThan(capacity.memoryBytes);
  expect(warnings).toEqual([
    '16 CPU cores are wanted; this computer gives its 2.',
    '64 GiB of memory are wanted; this computer gives 7.6 GiB.',
  ]);
});
