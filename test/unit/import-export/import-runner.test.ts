import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createImportRunner,
  type ImportParameters,
  type ImportSource,
} from '../../../main/import-export/import/import-runner.ts';
import type { RequestRow } from '../../../main/background-requests/request-repository.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

type RunnerDependencies = Parameters<typeof createImportRunner>[0];

const sent = join(sharedFolder(), 'sent.zip');

/** Runs a source whose steps only log their names; actions of the store and the disk are logged, too. */
async function steps(parameters: Partial<ImportParameters>, failing?: string): Promise<string[]> {
  const seen: string[] = [];
  const step = (name: string) => {
    seen.push(name);
    if (name === failing) throw new Error(`${name} failed`);
  };
  const source: ImportSource<ImportParameters, string, { passes: []; parsing: { message: string; until: number } }> = {
    survey: async () => (step('survey'), 'surveyed'),
    async plan() {
      step('plan');
      if (failing === 'file') appendFileSync(sent, 'more');
      return { passes: [], parsing: { message: 'Reading', until: 1 } };
    },
    publish(_work, _plan, { summary }, commit) {
      step('publish');
      if (parameters.dryRun) return { report: JSON.stringify(summary) };
      return commit({ message: 'done' }, () => step('rows'));
    },
  };
  const write = (work: () => void): void => {
    step('begin');
    work();
    step('commit');
  };
  const staging = { discard: async () => step('discard'), folders: { discard: async () => step('folder') } };
  const dependencies = { database: { write }, staging, formats: {}, onDiscarded: () => step('collect') };
  const runner = createImportRunner(dependencies as unknown as RunnerDependencies)(source);
  writeFileSync(sent, 'as it was handed over');
  const file = { path: sent, name: 'sent.zip' };
  const request = { id: 'an import', parameters: JSON.stringify({ file, ...parameters }) } as RequestRow;
  const run = {
    signal: new AbortController().signal,
    progress: () => undefined,
    keepReport: () => undefined,
    finish: () => step('end'),
  };
  await runner(request, run).catch((error: unknown) => seen.push(String(error)));
  return seen;
}

const taken = ['discard', 'survey', 'plan', 'publish', 'begin', 'rows', 'end', 'commit', 'folder', 'collect'];

it('an import runs its steps in order, after removing the rest of an earlier attempt, and ends with its rows', async () => {
  expect(await steps({})).toEqual(taken);
});

it.each(['survey', 'plan', 'publish', 'rows', 'end'])('if its %s fails, its stored data is removed', async (name) => {
  const until = taken.slice(0, taken.indexOf(name) + 1);
  expect(await steps({}, name)).toEqual([...until, 'discard', 'collect', `Error: ${name} failed`]);
});

it('refuses a file that its owner changes during the import', async () => {
  expect(await steps({}, 'file')).toEqual([
    'discard',
    'survey',
    'plan',
    'discard',
    'collect',
    'AppError: sent.zip was changed while it was read. Nothing was imported: try again when the file is complete.',
  ]);
});

it('a dry run stores nothing, and so has nothing to remove', async () => {
  expect(await steps({ dryRun: true })).toEqual(['survey', 'plan', 'publish']);
});
