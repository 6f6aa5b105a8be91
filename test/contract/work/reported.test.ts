import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { objectsOf } from './imported-objects.ts';
import { reportedCases, type ReportedCase } from './reported-cases.ts';
import { picture, useWork } from './work-harness.ts';

/** Small files that reproduce public bug reports. They are outside of the repository. */
const folder = resolve(import.meta.dirname, '../../../../shared/fixtures/reported/formats');
const isThere = existsSync(folder);
const work = await useWork();

const everyLabel = ['cat', 'dog', 'Käse', 'Köse', 'Brot'].map((name) => ({ name }));

async function intoTask({ file, format, into = {}, options = {} }: ReportedCase, bytes: Buffer) {
  const known = /\ba\.(?:jpg|png)\b/.exec(bytes.toString('latin1'))?.[0] ?? 'a.png';
  const images = await Promise.all(
    (into.images ?? [[known, 100, 80] as const]).map(async ([name, width, height]) => ({
      name,
      bytes: await picture(name, width, height),
    })),
  );
  const task = await work.owner.taskWithImages({ labels: into.labels ?? everyLabel }, images);
  const path = `/api/tasks/${task.id}/annotations/`;
  const { body } = await work.sendFile(
    path,
    'annotation_file',
    { name: basename(file), bytes },
    {
      format,
      options: JSON.stringify(options),
    },
  );
  const request = await work.owner.ended((body as { rq_id: string }).rq_id);
  return { request, tasks: [task], labels: await work.labelsOf({ task_id: task.id }) };
}

async function intoProject({ file, format, options = {} }: ReportedCase, bytes: Buffer) {
  const { id } = await work.owner.createProject(file, []);
  const more = { options: JSON.stringify(options) };
  const request = await work.importDataset(id, format, { name: basename(file), bytes }, more);
  return { request, tasks: await work.tasksOf(id), labels: await work.labelsOf({ project_id: id }) };
}

describe.skipIf(!isThere && !process.env['CI'])('a file of a public bug report', () => {
  test('exists in every folder, and every folder has an expectation', () => {
    const folders = new Set(reportedCases.map(({ file }) => file.split('/')[0]));
    expect([...folders].toSorted()).toEqual(readdirSync(folder).toSorted());
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(new Set(files.map(({ parentPath, name }) => `${basename(parentPath)}/${name}`))).toEqual(
      new Set(reportedCases.map(({ file }) => file)),
    );
  });

  const rows = reportedCases.map((one) => [one.file, one.format, one.into ? 'task' : 'project', one] as const);
  test.each(rows)('%s, read as %s into a %s, gives the result of its judge', async (file, _format, _into, expected) => {
    const bytes = readFileSync(join(folder, file));
    const imported = await (expected.into ? intoTask : intoProject)(expected, bytes);
    const { request } = imported;
    expect(await objectsOf(work, imported, !expected.into)).toEqual(expected.objects ?? {});
    if (expected.refused) {
      expect(request).toMatchObject({ status: 'failed', message: expect.stringMatching(expected.refused) });
      return;
    }
    expect(request).toMatchObject({ status: 'finished' });
    const { invalid: bad, dropped, warnings } = await work.owner.report(request.id);
    expect(bad.map(({ at }) => at)).toEqual(expected.bad ?? []);
    const quoted = (rule: string): string => (rule.match(/"[^"]*"/g) ?? []).map((one) => ` ${one}`).join('');
    expect(dropped.map(({ count, type, rule }) => `${count} ${type}${quoted(rule)}`)).toEqual(expected.changed ?? []);
    expect(warnings).toEqual((expected.warned ?? []).map((pattern) => expect.stringMatching(pattern)));
  });
});
