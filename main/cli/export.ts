import { Option, type Command } from 'commander';
import type { DatasetExportOptions } from '../../preload/contract/schema/export-options.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { addExportOptions, statedExportOptions, type ExportCliOptions } from './export-options.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest, download } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { failed, usage } from './exit-codes.ts';
import { formatOptions } from './import-options.ts';
import { collect, addTargetOptions, chosenTarget, ofTarget, type Target, type TargetOptions } from './options.ts';
import { showReport } from './report.ts';
import { defined } from '../platform/defined.ts';

interface ExportOptions extends ConnectionOptions, TargetOptions, ExportCliOptions {
  readonly format: string;
  readonly saveImages?: boolean;
  readonly output?: string;
  readonly report?: string;
  readonly option?: readonly string[];
  readonly allFrames?: boolean;
  readonly annotatedFrames?: boolean;
}

export function addExportCommand(program: Command, context: CliContext): void {
  const command = program
    .command('export')
    .summary('export annotations of a task, job or project to a dataset file')
    .description('Exports a dataset file. The report counts data that the format does not support, with the reason.')
    .requiredOption('--format <name>', 'exporter, for example "COCO 1.0"; `limner formats` lists them')
    .option('--save-images', 'include the images')
    .addOption(new Option('--all-frames', 'include frames of a video without annotations').conflicts('annotatedFrames'))
    .option('--annotated-frames', 'only frames with annotations (default for videos with --save-images)')
    .option('--output <file>', 'file or folder to write to; an existing file is replaced only by a complete one')
    .option(
      '--option <name=value>',
      'option of the format (limner formats --options lists them); may be repeated',
      collect,
    )
    .option('--report <file>', 'also save the report as JSON');
  addConnectionOptions(addTargetOptions(addExportOptions(command))).action(async (options: ExportOptions) => {
    const target = chosenTarget(options);
    const exportOptions = await statedExportOptions(options);
    await withClient(context, options, async (client) => {
      const format = await checkedExporter(client, options.format);
      const progress = createProgressBar('Exporting', context.errorOutput);
      const onlyAnnotated = await leavesFramesOut(client, target, { ...options, format }, context);
      const requestId = await startExport(client, target, { ...options, format, exportOptions }, onlyAnnotated);
      const finished = await waitForRequest(client, requestId, progress, context.stopSignal);
      if (finished.result_url === null) {
        throw failed('The export finished without a file. The log of the service contains the reason.');
      }
      const file = await download(client, finished.result_url, options.output, context);
      const report = await client.call('getRequestReport', { params: { id: requestId } });
      await showReport(context, report, 'Exported', options.report);
      context.print(`Saved ${file}`);
    });
  });
}

/**
 * Exports of a video with images contain only annotated frames by default: videos have thousands of frames, and image
 * formats do not keep their order.
 */
async function leavesFramesOut(
  client: ApiClient,
  target: Target,
  { format, saveImages = false, allFrames = false, annotatedFrames }: ExportOptions,
  context: CliContext,
): Promise<boolean> {
  if (annotatedFrames === true) return true;
  if (allFrames || !saveImages || target.kind === 'project') return false;
  const open = target.kind === 'task' ? 'getTask' : 'getJob';
  const { mode } = await ofTarget(target, client.call(open, { params: { id: target.id } }));
  if (mode !== 'interpolation') return false;
  const { exporters } = await client.call('formatOptions', {});
  if (exporters.find(({ name }) => name === format)?.stills !== true) return false;
  const count = target.kind === 'task' ? 'countTaskFrames' : 'countJobFrames';
  const answer = await client.call(count, { params: { id: target.id }, body: { annotated: true } });
  note(
    context,
    `${answer.count} of ${answer.total} frames have annotations and are exported. Use --all-frames to export all.`,
  );
  return true;
}

export async function startExport(
  client: ApiClient,
  target: Target,
  {
    format,
    saveImages = false,
    option = [],
    exportOptions,
  }: Pick<ExportOptions, 'format' | 'saveImages' | 'option'> & {
    readonly exportOptions: DatasetExportOptions | undefined;
  },
  onlyAnnotated: boolean,
): Promise<string> {
  const input = {
    params: { id: target.id },
    query: {
      format,
      save_images: String(saveImages),
      location: 'local' as const,
      only_annotated_frames: String(onlyAnnotated),
      ...defined({
        export_options: exportOptions ? JSON.stringify(exportOptions) : undefined,
        options: option.length === 0 ? undefined : JSON.stringify(formatOptions(option)),
      }),
    },
  };
  const operation = { task: 'exportTaskDataset', project: 'exportProjectDataset', job: 'exportJobDataset' } as const;
  const started = await ofTarget(target, client.call(operation[target.kind], input));
  return started.rq_id;
}

export async function checkedExporter(client: ApiClient, name: string): Promise<string> {
  const { exporters } = await client.call('formats', {});
  const names = exporters.map((exporter) => exporter.name);
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw usage(`No exporter "${name}". Choose one of: ${names.join(', ')}.`);
}
