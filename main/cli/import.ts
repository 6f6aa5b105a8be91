import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { ApiFailure, refused, usage } from './exit-codes.ts';
import { waitForRequest } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { detectedFormat, withPackedFolder } from './import-source.ts';
import { importOptions, type StatedImportOptions } from './import-options.ts';
import { collect, addTargetOptions, chosenTarget, ofTarget, type TargetOptions } from './options.ts';
import { showReport, surveyLines } from './report.ts';
import { importableSize, uploadForImport } from './upload.ts';

interface ImportOptions extends ConnectionOptions, TargetOptions, StatedImportOptions {
  readonly format?: string;
  readonly append?: boolean;
  readonly replace?: boolean;
  readonly report?: string;
  readonly check?: boolean;
}

export function addImportCommand(program: Command, context: CliContext): void {
  const command = program
    .command('import')
    .summary('bring annotations from a file into a task, a job or a project')
    .description(
      'Brings annotations from a file into a task or a job, or a whole dataset into a project.\n' +
        'Records that cannot be read are left out and reported with their position; the rest arrives.',
    )
    .argument('<file>', 'annotation file, archive or folder')
    .option('--format <name>', 'importer, for example "COCO 1.0"; guessed from the file where it is left out')
    .addOption(new Option('--append', 'keep the annotations that are there (default)').conflicts('replace'))
    .addOption(
      new Option(
        '--replace',
        'put the annotations in the place of those that are there (limner take-back undoes it)',
      ).conflicts('append'),
    )
    .option('--check', 'only read the file, and say what an import would do')
    .option('--map-label <file=task>', 'give objects of a label of the file another label; may be repeated', collect)
    .option('--skip-label <name>', 'leave out the objects of this label; may be repeated', collect)
    .option('--create-labels', 'make the labels that the task lacks')
    .addOption(
      new Option('--unknown-attributes <what>', 'attributes that a label does not have (default: drop)').choices([
        'drop',
        'create',
      ]),
    )
    .option('--subset <name>', 'read only this subset of the file')
    .addOption(
      new Option('--match-frames <how>', 'how images of the file find their frames (default: auto)').choices([
        'auto',
        'name',
        'number',
        'order',
      ]),
    )
    .addOption(new Option('--masks <what>', 'what masks become (default: keep)').choices(['keep', 'polygons']))
    .option('--encoding <name>', 'encoding of its text files, for example windows-1252 or gbk (default: utf-8)')
    .option(
      '--option <name=value>',
      'an option of the format (limner formats --options lists them); may be repeated',
      collect,
    )
    .option('--report <file>', 'also save the report as JSON');
  addConnectionOptions(addTargetOptions(command)).action(async (file: string, options: ImportOptions) => {
    const target = chosenTarget(options);
    if (target.kind === 'project' && options.replace) {
      throw usage('A dataset is added to a project as a new task: --replace is not for it.');
    }
    const formatOptions = importOptions(options);
    await withPackedFolder(resolve(file), context, async (path, leftOut) => {
      const sizeBytes = await importableSize(path);
      const guessed = options.format ?? (await detectedFormat(context, { path, file, dataDir: options.dataDir }));
      await withClient(context, options, async (client) => {
        const format = await checkedImporter(client, guessed, file);
        const progress = createProgressBar('Importing', context.errorOutput);
        const upload = uploadForImport(client, {
          resource: `/api/${target.kind}s/${target.id}/${target.kind === 'project' ? 'dataset' : 'annotations'}/`,
          file: path,
          sizeBytes,
          query: {
            format,
            ...(target.kind === 'project' ? {} : { import_mode: options.replace ? 'replace' : 'append' }),
            ...(options.check ? { dry_run: 'true' } : {}),
            options: formatOptions,
          },
          progress,
          signal: context.stopSignal,
        });
        const requestId = await ofTarget(target, target.kind === 'project' ? upload.catch(refuseProject) : upload);
        await waitForRequest(client, requestId, progress, context.stopSignal);
        const own = await client.call('getRequestReport', { params: { id: requestId } });
        const report = { ...own, warnings: [...leftOut, ...own.warnings] };
        if (report.survey) for (const line of surveyLines(report.survey)) context.print(line);
        await showReport(context, report, options.check ? 'Can import' : 'Imported', options.report);
        if (report.carried.length === 0 && report.badCount > 0) {
          throw refused('No record of the file could be read: nothing was imported.');
        }
      });
    });
  });
}

/** A service without this route answers 405, which does not help the user. */
function refuseProject(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 405) throw error;
  throw refused(
    'This service takes no datasets into projects. Make a task of the images (limner create-task) and import into it.',
    { cause: error },
  );
}

async function checkedImporter(client: ApiClient, name: string | null, file: string): Promise<string> {
  const { importers } = await client.call('formats', {});
  const names = importers.map((importer) => importer.name);
  const found = names.find((known) => known.toLowerCase() === name?.toLowerCase());
  if (found !== undefined) return found;
  const problem =
    name === null ? `What format ${file} has cannot be told from its content.` : `There is no importer "${name}".`;
  throw usage(`${problem} Choose one with --format: ${names.join(', ')}.`);
}
