import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { openSource } from '../formats/io/open-source.ts';
import { evaluationKinds, type ReportKind } from '../../preload/contract/schema/evaluations.ts';
import type { CocoSet, EvaluationKind } from '../evaluation/measures/coco-objects.ts';
import { evaluateCoco, iouSteps } from '../evaluation/measures/coco-evaluation.ts';
import { collectFacts, type EvaluationFacts } from '../evaluation/measures/facts.ts';
import { confusionOf, curvesOfFacts, matchFacts } from '../evaluation/measures/match-facts.ts';
import { bestScore, countsAt, curveOf, ratesOf } from '../evaluation/measures/one-threshold.ts';
import { readCocoSet, type CocoFile } from '../evaluation/measures/read-coco.ts';
import { categoryMeasures, summarize } from '../evaluation/measures/summary.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { waitForRequest, download } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { measureFormat, measureProject } from './evaluate-format.ts';
import { failed, refused, usage } from './exit-codes.ts';
import { parseId, ofTarget } from './options.ts';

interface EvaluateOptions extends ConnectionOptions {
  readonly task?: number;
  readonly project?: number;
  readonly model?: string;
  readonly groundTruth?: boolean;
  readonly truth?: string;
  readonly predictions?: string;
  readonly kind?: ReportKind;
  readonly format?: string;
  readonly minAp?: number;
  readonly min?: readonly Least[];
  readonly iouThreshold?: number;
  readonly scoreThreshold?: number;
  readonly json?: boolean;
}

interface Least {
  readonly name: string;
  readonly value: number;
}

const fileKinds: readonly EvaluationKind[] = ['bbox', 'segm', 'keypoints'];
const isFileKind = (kind: ReportKind | undefined): kind is EvaluationKind | undefined =>
  kind === undefined || fileKinds.some((known) => known === kind);
const readFormats = ['coco results', 'coco results 1.0'];

export function addEvaluateCommand(program: Command, context: CliContext): void {
  const command = program
    .command('evaluate')
    .summary('evaluate the predictions of a model')
    .description(
      "Compares predictions with a ground truth and prints COCO's metrics as pycocotools computes them: AP over ten IoU " +
        'thresholds, AP50, AP75, by size, and AR. The ground truth is a task or a COCO file. Predictions refer to images and ' +
        'categories by the ids in the COCO export of the same task. With --task, predictions can be in any format that ' +
        'Limner imports, and the kinds tags (accuracy, F1), semantic (mIoU) and tracks (HOTA, MOTA, IDF1) are available.\n' +
        'With --project, evaluates the prediction sets named by --model in all tasks of the project.\n' +
        'Changes nothing.',
    )
    .addOption(
      new Option('--task <id>', 'ground truth: annotations of this task').argParser(parseId).conflicts('truth'),
    )
    .option('--truth <file>', 'ground truth: a COCO file with images, categories and annotations')
    .addOption(
      new Option('--project <id>', 'evaluate prediction sets of all tasks of this project')
        .argParser(parseId)
        .conflicts(['task', 'truth', 'predictions', 'format']),
    )
    .option('--model <name>', 'with --project: name of the prediction sets')
    .option('--ground-truth', 'with --project: use only ground-truth jobs as the ground truth')
    .option(
      '--predictions <file>',
      'COCO results: a list of {image_id, category_id, score, bbox | …}; or a file in the format of --format',
    )
    .option('--format <name>', 'format of the predictions, for example "MOT 1.1" (default: COCO results)')
    .addOption(
      new Option(
        '--kind <kind>',
        'kind of evaluation (default: that of the first prediction, otherwise boxes)',
      ).choices(evaluationKinds),
    )
    .option('--min-ap <value>', 'exit with code 1 if AP is below this value (0 to 1)', parseShare)
    .option('--min <measure=value>', 'exit with code 1 if this metric is below the value; may be repeated', parseLeast)
    .option('--iou-threshold <value>', 'also count matches, misses and confusions at this IoU', parseOverlap)
    .option(
      '--score-threshold <value>',
      'count only predictions with at least this score (default: that with the best F1)',
      parseHundredths,
    )
    .option('--json', 'print one JSON object: the metrics by name');
  addConnectionOptions(command).action((options: EvaluateOptions) => evaluate(options, context));
}

async function evaluate(options: EvaluateOptions, context: CliContext): Promise<void> {
  const { iouThreshold } = options;
  if (iouThreshold === undefined && options.scoreThreshold !== undefined) {
    throw usage('--score-threshold needs --iou-threshold.');
  }
  const { kind, summary, categories, counts, one } = await measured(options, context);
  if (options.json === true) {
    context.print(JSON.stringify({ ...summary, at_iou_threshold: one }, null, 2));
  } else {
    const width = Math.max(5, ...categories.map(({ name }) => name.length));
    const columns = Object.keys(categories[0]?.measures ?? {});
    const wide = Math.max(6, ...Object.keys(summary).map((name) => name.length));
    context.print(
      `${counts.results} predictions, ${counts.truths} ground-truth objects, ${counts.images} images, compared as ${kind}`,
    );
    for (const [name, value] of Object.entries(summary)) context.print(`${name.padEnd(wide)} ${asNumber(value)}`);
    context.print('');
    context.print([`${'label'.padEnd(width)}`, ...columns.map((name) => name.padStart(6))].join(' '));
    for (const { name, measures } of categories) {
      const values = columns.map((key) => asNumber(measures[key] ?? -1).padStart(key.length));
      context.print([name.padEnd(width), ...values].join(' '));
    }
    if (one !== undefined) for (const line of linesOf(one, width)) context.print(line);
  }
  if (Object.values(summary).every((value) => value === -1)) {
    note(context, 'The ground truth contains no objects of this kind. Metrics without a value are -1.');
  }
  const { minAp, min = [] } = options;
  for (const { name, value } of [...(minAp === undefined ? [] : [{ name: 'AP', value: minAp }]), ...min]) {
    const reached = summary[name];
    if (reached === undefined) {
      const known = Object.keys(summary).join(', ');
      throw usage(`Unknown metric "${name}". Choose one of: ${known}.`);
    }
    if (reached < value) throw failed(`${name} is ${asNumber(reached).trim()}, below ${value}.`);
  }
}

/** Evaluates in the service if a task is given with another format or kind; otherwise from the files. */
async function measured(options: EvaluateOptions, context: CliContext) {
  const { iouThreshold, format, task } = options;
  const kind = options.kind;
  if (options.project !== undefined) {
    if (options.model === undefined) throw usage('Choose the model with --model NAME.');
    return measureProject(
      { ...options, project: options.project, model: options.model, kind: kind ?? 'bbox' },
      context,
    );
  }
  if (options.model !== undefined || options.groundTruth === true)
    throw usage('--model and --ground-truth need --project ID.');
  const { predictions } = options;
  if (predictions === undefined) throw usage('Give the predictions with --predictions FILE.');
  const isCoco = format === undefined || readFormats.includes(format.toLowerCase());
  if (!isCoco || !isFileKind(kind)) {
    if (task === undefined) {
      const what = isFileKind(kind) ? `Predictions in "${format ?? ''}"` : `Kind "${kind}"`;
      throw usage(`${what} must be compared with a task: add --task ID.`);
    }
    return measureFormat({ ...options, predictions, task, kind: kind ?? 'bbox', format }, context);
  }
  const fileKind = kind;
  return withTruth(options, context, async (truth) => {
    const results = await openFile(predictions);
    try {
      const set = await readCocoSet(truth, results, { kind: fileKind, signal: context.stopSignal });
      const facts = collectFacts(set, [], {
        least: Math.min(iouThreshold ?? 1, ...iouSteps),
        isSameLabel: iouThreshold === undefined,
      });
      const evaluation = evaluateCoco(set, facts);
      return {
        kind: set.kind,
        summary: summarize(evaluation),
        categories: categoryMeasures(evaluation).map(({ name, AP, AP50, AP75, AR }) => {
          const measures: Readonly<Record<string, number>> = { AP, AP50, AP75, AR };
          return { name, measures };
        }),
        one: iouThreshold === undefined ? undefined : atThreshold(set, facts, iouThreshold, options.scoreThreshold),
        counts: { images: set.images, truths: set.truths.count, results: set.results.count },
      };
    } finally {
      await results.source.close();
    }
  });
}

type AtThreshold = ReturnType<typeof atThreshold>;

/** Counts matches, misses, false positives and confusions at one IoU and one score threshold. */
function atThreshold(set: CocoSet, facts: EvaluationFacts, overlap: number, chosen: number | undefined) {
  const curves = curvesOfFacts(facts, matchFacts(facts, overlap));
  const score = chosen ?? bestScore(curves);
  const rowOf = (name: string, category?: number) => {
    const counts = countsAt(curves, score, category);
    return { name, ...counts, ...ratesOf(counts) };
  };
  return {
    iou_threshold: overlap,
    score_threshold: score,
    all: rowOf('all labels'),
    labels: set.categories.map(({ name }, category) => rowOf(name, category)),
    curve: curveOf(curves),
    /** Rows are truths, columns are results. The last column counts misses, the last row false positives. */
    confusion: { labels: set.categories.map(({ name }) => name), counts: confusionOf(facts, overlap, score) },
  };
}

function* linesOf({ iou_threshold, score_threshold, all, labels, confusion }: AtThreshold, width: number) {
  const wide = Math.max(width, all.name.length);
  yield '';
  yield `At IoU ${iou_threshold} and score ${score_threshold}:`;
  yield `${'label'.padEnd(wide)}    hits  missed   extra   prec. recall     F1`;
  for (const { name, hits, missed, extra, precision, recall, f1 } of [...labels, all]) {
    const counts = [hits, missed, extra].map((count) => String(count).padStart(7));
    yield `${name.padEnd(wide)} ${[...counts, ` ${asNumber(precision)}`, asNumber(recall), asNumber(f1)].join(' ')}`;
  }
  const mixed = confusion.counts
    .slice(0, -1)
    .flatMap((row, truth) =>
      row.slice(0, -1).flatMap((count, result) => (count === 0 || truth === result ? [] : [{ truth, result, count }])),
    );
  if (mixed.length > 0) yield 'Mixed up:';
  for (const { truth, result, count } of mixed.sort((a, b) => b.count - a.count).slice(0, 10)) {
    yield `${String(count).padStart(7)}  ${confusion.labels[truth] ?? ''} taken for ${confusion.labels[result] ?? ''}`;
  }
}

/** Integers above 1 are counts, not shares, and have no decimals. −1 means "not measured". */
const asNumber = (value: number): string =>
  (value === -1 ? '–' : Number.isInteger(value) && value > 1 ? String(value) : value.toFixed(3)).padStart(6);

function parseLeast(text: string, before: readonly Least[] | undefined): readonly Least[] {
  const [name = '', amount = '', ...rest] = text.split('=');
  const value = Number(amount);
  if (name !== '' && amount.trim() !== '' && Number.isFinite(value) && rest.length === 0)
    return [...(before ?? []), { name: name.trim(), value }];
  throw new InvalidArgumentError('It must be the name of a metric and a number, for example HOTA=0.5.');
}

function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

function parseOverlap(text: string): number {
  const value = parseShare(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be above 0.');
}

function parseHundredths(text: string): number {
  const value = parseShare(text);
  if (/^[01]?(\.\d{1,2}0*)?$/.test(text.trim())) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1 with at most two decimals.');
}

/** Opens a JSON file, or the only one in an archive: the annotations of a dataset. */
async function openFile(path: string): Promise<CocoFile> {
  const source = await openSource({ path, name: path });
  const files = source.entries.filter((entry) => /\.json$/i.test(entry.path) || source.kind === 'file');
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return { source, path: only.path };
  await source.close();
  const reason = only === undefined ? 'has no JSON file' : `has ${files.length} JSON files`;
  throw refused(`Cannot use ${path}: it ${reason}. Give a single file.`);
}

async function withTruth<Answer>(
  options: EvaluateOptions,
  context: CliContext,
  use: (truth: CocoFile) => Promise<Answer>,
): Promise<Answer> {
  const using = async (path: string): Promise<Answer> => {
    const truth = await openFile(path);
    return use(truth).finally(() => truth.source.close());
  };
  if (options.truth !== undefined) return using(options.truth);
  if (options.task === undefined) throw usage('Give the ground truth with --task ID or --truth FILE.');
  const folder = await mkdtemp(join(tmpdir(), 'limner-evaluate-'));
  try {
    const file = join(folder, 'truth.zip');
    await exportTruth(options, options.task, file, context);
    return await using(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** RLE masks without crowds, because COCO's evaluation ignores crowds. */
const truthFormats = { boxes: 'COCO RLE 1.0', keypoints: 'COCO Keypoints 1.0' } as const;

async function exportTruth(options: EvaluateOptions, id: number, file: string, context: CliContext): Promise<void> {
  await withClient(context, options, async (client) => {
    const format = options.kind === 'keypoints' ? truthFormats.keypoints : truthFormats.boxes;
    const query = { format, save_images: 'false', location: 'local' } as const;
    const started = await ofTarget({ kind: 'task', id }, client.call('exportTaskDataset', { params: { id }, query }));
    const progress = createProgressBar('Reading the task', context.errorOutput);
    const finished = await waitForRequest(client, started.rq_id, progress, context.stopSignal);
    if (finished.result_url === null) throw failed('Cannot read the annotations of the task.');
    await download(client, finished.result_url, file, context);
  });
}
