import { Option, type Command } from 'commander';
import type { Arrangement } from '../../preload/contract/schema/arrangement.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { addArrangementOptions, statedArrangement, type ArrangementOptions } from './arrangement-options.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest, download } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { failed, usage } from './exit-codes.ts';
import { formatOptions } from './import-options.ts';
import { collect, addTargetOptions, chosenTarget, ofTarget, type Target, type TargetOptions } from './options.ts';
import { showReport } from './report.ts';

interface ExportOptions extends ConnectionOptions, TargetOptions, ArrangementOptions {
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
    .summary('write the annotations of a task, a job or a project to a dataset file')
    .description(
      'Writes a dataset file. What the format cannot carry is counted in the report, by the rule that forbids it.',
    )
    .requiredOption('--format <name>', 'exporter, for example "COCO 1.0"; `limner formats` lists them')
    .option('--save-images', 'put the images into the file, too')
    .addOption(new Option('--all-frames', 'frames of a video without annotations, too').conflicts('annotatedFrames'))
    .option('--annotated-frames', 'only frames with objects: so it is with --save-images for videos anyway')
    .option('--output <file>', 'file to write, or a folder; an existing file is replaced once the new one is whole')
    .option(
      '--option <name=value>',
      'an option of the format (limner formats --options lists them); may be repeated',
      collect,
    )
    .option('--report <file>', 'also save the report as JSON');
  addConnectionOptions(addTargetOptions(addArrangementOptions(command))).action(async (options: ExportOptions) => {
    const target = chosenTarget(options);
    const arrangement = await statedArrangement(options);
    await withClient(context, options, async (client) => {
      const format = await checkedExporter(client, options.format);
      const progress = createProgressBar('Exporting', context.errorOutput);
      const onlyAnnotated = await leavesFramesOut(client, target, { ...options, format }, context);
      const requestId = await startExport(client, target, { ...options, format, arrangement }, onlyAnnotated);
      const finished = await waitForRequest(client, requestId, progress, context.stopSignal);
      if (finished.result_url === null) {
        throw failed('The export finished without a file. The log of the service says why.');
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
  note(context, `${answer.count} of ${answer.total} frames have annotations and are written; --all-frames writes all.`);
  return true;
}

async function startExport(
  client: ApiClient,
  target: Target,
  {
    format,
    saveImages = false,
    option = [],
    arrangement,
  }: Pick<ExportOptions, 'format' | 'saveImages' | 'option'> & { readonly arrangement: Arrangement | undefined },
  onlyAnnotated: boolean,
): Promise<string> {
  const input = {
    params: { id: target.id },
    query: {
      format,
      save_images: String(saveImages),
      location: 'local' as const,
      only_annotated_frames: String(onlyAnnotated),
      ...(arrangement ? { arrangement: JSON.stringify(arrangement) } : {}),
      ...(option.length === 0 ? {} : { options: JSON.stringify(formatOptions(option)) }),
    },
  };
  const operation = { task: 'exportTaskDataset', project: 'exportProjectDataset', job: 'exportJobDataset' } as const;
  const started = await ofTarget(target, client.call(operation[target.kind], input));
  return started.rq_id;
}

async function checkedExporter(client: ApiClient, name: string): Promise<string> {
  const { exporters } = await client.call('formats', {});
  const names = exporters.map((exporter) => exporter.name);
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw usage(`There is no exporter "${name}". Choose one of: ${names.join(', ')}.`);
}
