import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featuresFile, namedTest, readFeatures } from '../../../scripts/reference/features.ts';
import { projectRoot } from '../../support/node-executable.ts';

const areas = readFeatures(readFileSync(join(projectRoot, featuresFile), 'utf8'));
const features = Object.values(areas).flat();

test('every test that docs/features.yaml names exists', () => {
  const missing = features
    .flatMap(({ tests = [] }) => tests)
    .filter((named) => {
      const { file, name } = namedTest(named);
      const path = join(projectRoot, file);
      if (!/^test\/.*\.test\.ts$/.test(file) || !existsSync(path)) return true;
      const titles = readFileSync(path, 'utf8').matchAll(
        /(?<=\b(?:it|test|describe)\b[^'"`\n]*\(\s*|\)\(\s*)(['"`])((?:\\.|(?!\1).)*)\1/g,
      );
      return ![...titles].some(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1') === name);
    });
  expect(missing).toEqual([]);
});

test('every capability that works or works in part names a test, and one in part says its limits', () => {
  const incomplete = features.filter(
    ({ state, limits, tests }) =>
      (state === 'missing') === (tests !== undefined) || (state === 'partial' && limits === undefined),
  );
  expect(incomplete.map(({ capability }) => capability)).toEqual([]);
});

test('no capability is listed twice', () => {
  const names = features.map(({ capability }) => capability);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('refuses a state that is not in the list, and a test file without a test name', () => {
  expect(() => readFeatures('Area:\n  - capability: Something\n    state: yes\n')).toThrow();
  expect(() => readFeatures('Area:\n  - capability: Something\n    state: works\n    tests: [a.test.ts]\n')).toThrow();
});
