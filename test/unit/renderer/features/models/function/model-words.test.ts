import { describe, expect, test } from 'vitest';
import { functionKinds, functionStates } from '../../../../../../preload/contract/schema/functions.ts';
import { errorFromAnswer } from '../../../../../../renderer/api/api-error.ts';
import { deployProblems } from '../../../../../../renderer/features/models/deploy/deploy-problems.ts';
import { commandsIn } from '../../../../../../renderer/features/models/engine/engine-commands.ts';
import { findingOf, linesOf } from '../../../../../../renderer/features/models/deploy/finding.ts';
import { createLogReader } from '../../../../../../renderer/features/models/function/log-lines.ts';
import { memoryText } from '../../../../../../renderer/features/models/function/model-text.ts';
import { engineProblem } from '../../../../../../main/functions/engines/docker/engine-problem.ts';
import { parseConfigurationText } from '../../../../../../main/functions/configuration/parse-configuration.ts';
import en from '../../../../../../renderer/i18n/en.json' with { type: 'json' };

describe('texts for every case', () => {
  test('states and kinds of functions have names', () => {
    const { state, stateHint, kind } = en.models;
    expect(Object.keys(state)).toEqual([...functionStates]);
    expect(Object.keys(stateHint)).toEqual([...functionStates]);
    expect(Object.keys(kind)).toEqual([...functionKinds]);
  });

  test('formats memory in powers of two', () => {
    expect([512 * 2 ** 20, 2 ** 31, 1.5 * 2 ** 30, 2 ** 19].map(memoryText)).toEqual([
      '512 MiB',
      '2 GiB',
      '1.5 GiB',
      '0.5 MiB',
    ]);
  });
});

describe('commands in messages about the Engine', () => {
  const said = (code: string): string[] =>
    commandsIn(engineProblem(Object.assign(new Error(code), { code }), '/var/run/docker.sock', 'linux').message);

  test('are found, each separately', () => {
    expect(said('ENOENT')).toEqual(['sudo apt install docker.io', 'sudo systemctl start docker']);
    expect(said('EACCES')).toEqual(['sudo usermod -aG docker "$USER"']);
    expect(said('ECONNREFUSED')).toEqual(['sudo systemctl start docker']);
    expect(commandsIn('Install and start Docker Desktop.')).toEqual([]);
  });
});

describe('sentences about a configuration', () => {
  const yaml =
    'metadata:\n  name: x\nspec:\n  runtime: python:3.8\n  triggers:\n    one:\n      kind: http\n      maxWorkers: many\n';
  const sentences = (text: string): string[] => {
    try {
      parseConfigurationText(text, 'function.yaml');
      return [];
    } catch (error) {
      return String(error instanceof Error ? error.message : error).split('\n');
    }
  };

  test('are parsed into file, line, key and message', () => {
    const [sentence = ''] = sentences(yaml);
    expect(findingOf(sentence)).toMatchObject({
      file: 'function.yaml',
      line: 8,
      key: 'spec.triggers.one.maxWorkers',
    });
    expect(linesOf(sentences(yaml))).toContain(8);
    const [broken = ''] = sentences('metadata: [');
    expect(findingOf(broken)).toMatchObject({ file: 'function.yaml', key: '' });
    expect(findingOf(broken)?.line).toBeGreaterThan(0);
  });

  test('that name no position are kept unchanged', () => {
    expect(findingOf('The 3 directives of its build are not carried out: the handler is put on it.')).toBeNull();
    expect(findingOf('No image is there.')).toBeNull();
  });

  test('are extracted from a refusal, beside those about fields of the form', () => {
    const lines = ['function.yaml, line 2, metadata.name: wrong', 'function.yaml, line 9, spec.handler: missing'];
    expect(deployProblems(errorFromAnswer(400, { configuration: lines })).configuration).toEqual(lines);
    const field = deployProblems(errorFromAnswer(400, { directory: ['There is no folder /x.'] }));
    expect(field).toEqual({
      configuration: [],
      ofField: { directory: 'There is no folder /x.' },
      all: ['There is no folder /x.'],
    });
    expect(deployProblems(errorFromAnswer(409, { detail: 'It is being deployed.' })).all).toEqual([
      'It is being deployed.',
    ]);
    expect(deployProblems(null).all).toEqual([]);
  });
});

test('lines of a log are complete, with any chunks, with their level and time', () => {
  const read = createLogReader();
  expect(read('12:00:01 Note: two workers\n12:00:0')).toMatchObject([
    { time: '12:00:01', level: 'warning', text: 'two workers' },
  ]);
  expect(read('2 Error: gone\n')).toMatchObject([{ time: '12:00:02', level: 'error', text: 'gone' }]);
  const record = { datetime: '2026-01-02T03:04:05.6Z', level: 'error', message: 'bad', with: { worker: 1 }, id: 'a' };
  expect(read(`${JSON.stringify(record)}\nplain words\n`)).toMatchObject([
    { time: '03:04:05', level: 'error', text: 'bad  id=a  worker=1' },
    { time: '', level: 'info', text: 'plain words' },
  ]);
});
