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
import { showReport, inspectionLines } from './report.ts';
import { importableSize, uploadForImport } from './upload.ts';
import { defined } from '../platform/defined.ts';

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
    .summary('import annotations from a file into a task, job or project')
    .description(
      'Imports annotations from a file into a task or job, or a dataset into a project.\n' +
        'Invalid records are skipped and reported with their position; all others are imported.',
    )
    .argument('<file>', 'annotation file, archive or folder')
    .option('--format <name>', 'importer, for example "COCO 1.0" (default: detected from the file)')
    .addOption(new Option('--append', 'keep existing annotations (default)').conflicts('replace'))
    .addOption(new Option('--replace', 'replace existing annotations (limner undo undoes this)').conflicts('append'))
    .option('--check', 'only read the file and print the result of an import')
    .option('--map-label <file=task>', 'map a label of the file to another label; may be repeated', collect)
    .option('--skip-label <name>', 'skip objects with this label; may be repeated', collect)
    .option('--create-labels', 'create missing labels')
    .addOption(
      new Option('--unknown-attributes <action>', 'handling of attributes that a label lacks (default: drop)').choices([
        'drop',
        'create',
      ]),
    )
    .option('--add-images', 'add images that the file has and the task lacks')
    .option('--subset <name>', 'import only this subset of the file')
    .addOption(
      new Option('--match-frames <method>', 'how to match images of the file with frames (default: auto)').choices([
        'auto',
        'name',
        'number',
        'order',
      ]),
    )
    .addOption(new Option('--masks <action>', 'handling of masks (default: keep)').choices(['keep', 'polygons']))
    .option('--encoding <name>', 'encoding of the text files, for example windows-1252 or gbk (default: utf-8)')
    .option(
      '--option <name=value>',
      'option of the format (limner formats --options lists them); may be repeated',
      collect,
    )
    .option('--report <file>', 'also save the report as JSON');
  addConnectionOptions(addTargetOptions(command)).action(async (file: string, options: ImportOptions) => {
    const target = chosenTarget(options);
    if (target.kind === 'project' && options.replace) {
      throw usage('--replace does not apply to a project, because a dataset becomes a new task.');
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
            ...defined({
              import_mode: target.kind === 'project' ? undefined : options.replace ? 'replace' : 'append',
              dry_run: options.check ? 'true' : undefined,
            }),
            options: formatOptions,
          },
          progress,
          signal: context.stopSignal,
        });
        const requestId = await ofTarget(target, target.kind === 'project' ? upload.catch(refuseProject) : upload);
        await waitForRequest(client, requestId, progress, context.stopSignal);
        const own = await client.call('getRequestReport', { params: { id: requestId } });
        const report = { ...own, warnings: [...leftOut, ...own.warnings] };
        if (report.preview) for (const line of inspectionLines(report.preview)) context.print(line);
        await showReport(context, report, options.check ? 'Can import' : 'Imported', options.report);
        if (report.included.length === 0 && report.invalidCount > 0) {
          throw refused('Nothing was imported: the file contains no valid record.');
        }
      });
    });
  });
}

/** A service without this route answers 405, which does not help the user. */
function refuseProject(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 405) throw error;
  throw refused(
    'This service cannot import datasets into projects. Create a task from the images (limner create-task) and import into it.',
    { cause: error },
  );
}

async function checkedImporter(client: ApiClient, name: string | null, file: string): Promise<string> {
  const { importers } = await client.call('formats', {});
  const names = importers.map((importer) => importer.name);
  const found = names.find((known) => known.toLowerCase() === name?.toLowerCase());
  if (found !== undefined) return found;
  const problem = name === null ? `Cannot detect the format of ${file}.` : `No importer "${name}".`;
  throw usage(`${problem} Choose one with --format: ${names.join(', ')}.`);
}
