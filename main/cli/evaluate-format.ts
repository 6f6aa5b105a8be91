import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  isDetectionKind,
  type EvaluationCountsAnswer,
  type ReportKind,
} from '../../preload/contract/schema/evaluations.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest } from './background-request.ts';
import { withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { detectedFormat, withPackedFolder } from './import-source.ts';
import { failed, usage } from './exit-codes.ts';
import { importableSize, uploadForImport } from './upload.ts';
import { ofTarget } from './options.ts';

interface Wanted extends ConnectionOptions, Counted {
  readonly task: number;
  readonly predictions: string;
  readonly format: string | undefined;
}

/**
 * Evaluates a file in any format that can be imported. The prediction set and the evaluation are temporary and are
 * always deleted.
 */
export async function measureFormat(wanted: Wanted, context: CliContext) {
  return withPackedFolder(resolve(wanted.predictions), context, async (path, leftOut) => {
    for (const warning of leftOut) note(context, warning);
    const sizeBytes = await importableSize(path);
    const { format, task, kind, dataDir } = wanted;
    const named = format ?? (await detectedFormat(context, { path, file: wanted.predictions, dataDir }));
    if (named === null) throw usage(`Cannot detect the format of ${wanted.predictions}. Choose it with --format.`);
    return withClient(context, wanted, async (client) => {
      const progress = createProgressBar('Reading the predictions', context.errorOutput);
      const name = `limner evaluate ${randomUUID()}`;
      const request = await ofTarget(
        { kind: 'task', id: task },
        uploadForImport(client, {
          resource: `/api/limner/tasks/${task}/predictions/file/`,
          file: path,
          sizeBytes,
          query: { format: named, name },
          progress,
          signal: context.stopSignal,
        }),
      );
      const made = { evaluation: null as number | null };
      try {
        await waitForRequest(client, request, progress, context.stopSignal);
        const set = await setOf(client, task, name);
        if (set === undefined) throw failed('Cannot save the predictions. Try again.');
        const started = await client.call('createEvaluation', {
          body: { name: 'limner evaluate', task_id: task, kind, predictions: [set] },
        });
        made.evaluation = started.id;
        const measuring = createProgressBar('Measuring', context.errorOutput);
        await waitForRequest(client, started.rq_id, measuring, context.stopSignal);
        return await readReport(client, started.id, wanted);
      } finally {
        const set = await setOf(client, task, name);
        if (made.evaluation !== null) await client.call('deleteEvaluation', { params: { id: made.evaluation } });
        if (set !== undefined) await client.call('deletePredictionSet', { params: { id: set } });
      }
    });
  });
}

async function setOf(client: ApiClient, task: number, name: string): Promise<number | undefined> {
  const { results } = await client.call('listPredictionSets', { params: { id: task } });
  return results.find((set) => set.name === name)?.id;
}

interface Counted {
  readonly kind: ReportKind;
  readonly iouThreshold?: number;
  readonly scoreThreshold?: number;
}

async function readReport(client: ApiClient, id: number, { kind, iouThreshold, scoreThreshold }: Counted) {
  const report = await client.call('getEvaluation', { params: { id } });
  const [details] = report.details;
  const counted =
    iouThreshold === undefined || !isDetectionKind(kind)
      ? undefined
      : await client.call('getEvaluationCounts', {
          params: { id },
          query: { iou: iouThreshold, score: scoreThreshold },
        });
  return {
    kind,
    summary: report.models[0]?.measures ?? {},
    categories: report.labels.map(({ name }, place) => ({ name, measures: details?.labels[place] ?? {} })),
    one: counted === undefined ? undefined : asAtThreshold(counted, report.labels),
    counts: { images: report.frame_count, truths: report.truth_count, results: details?.result_count ?? 0 },
  };
}

function asAtThreshold({ iou, score, models: [model] }: EvaluationCountsAnswer, labels: readonly { name: string }[]) {
  if (model === undefined) return undefined;
  const names = labels.map(({ name }) => name);
  return {
    iou_threshold: iou,
    score_threshold: score,
    all: { name: 'all labels', ...model.all },
    labels: model.labels.map((own, place) => ({ name: names[place] ?? '', ...own })),
    curve: model.curve.map((rates, step) => ({ score: step / 100, ...rates })),
    confusion: { labels: names, counts: model.confusion },
  };
}

interface WantedOfProject extends ConnectionOptions {
  readonly project: number;
  readonly model: string;
  readonly groundTruth?: boolean;
  readonly kind: ReportKind;
  readonly iouThreshold?: number;
  readonly scoreThreshold?: number;
}

const reasons = {
  no_predictions: 'it has no predictions of this model',
  no_ground_truth: 'it has no ground-truth job',
};

/**
 * Evaluates a model's prediction sets over all tasks of a project. The evaluation is temporary and is always deleted.
 */
export async function measureProject(wanted: WantedOfProject, context: CliContext) {
  const { project: id, model, kind, groundTruth } = wanted;
  return withClient(context, wanted, async (client) => {
    const truth = groundTruth === true ? 'ground_truth' : 'annotations';
    const started = await ofTarget(
      { kind: 'project', id },
      client.call('createProjectEvaluation', {
        params: { id },
        body: { name: 'limner evaluate', predictions: [model], truth, kind },
      }),
    );
    try {
      const progress = createProgressBar('Measuring', context.errorOutput);
      await waitForRequest(client, started.rq_id, progress, context.stopSignal);
      const report = await readReport(client, started.id, wanted);
      const { tasks } = await client.call('getEvaluation', { params: { id: started.id } });
      for (const { id: task, name, left_out: reason } of tasks) {
        if (reason !== null) note(context, `Task ${task} (${name}) was skipped: ${reasons[reason]}.`);
      }
      return report;
    } finally {
      await client.call('deleteEvaluation', { params: { id: started.id } });
    }
  });
}
