import type { ReportKind } from '../../preload/contract/schema/evaluations.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { waitForRequest } from './background-request.ts';
import { withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { readReport } from './evaluate-format.ts';
import { missingTarget } from './target.ts';

interface Wanted extends ConnectionOptions {
  readonly project: number;
  readonly model: string;
  readonly groundTruth?: boolean;
  readonly kind: ReportKind;
  readonly iouThreshold?: number;
  readonly scoreThreshold?: number;
}

const reasons = { no_predictions: 'the model has said nothing of it', no_ground_truth: 'it has no ground-truth job' };

/** Measures what a model has said of all tasks of a project. The evaluation goes again, whatever happens. */
export async function measureProject(wanted: Wanted, context: CliContext) {
  const { project: id, model, kind, groundTruth } = wanted;
  return withClient(context, wanted, async (client) => {
    const truth = groundTruth === true ? 'ground_truth' : 'annotations';
    const started = await client
      .call('createProjectEvaluation', {
        params: { id },
        body: { name: 'limner evaluate', predictions: [model], truth, kind },
      })
      .catch((error: unknown) => {
        throw missingTarget({ kind: 'project', id, path: `/api/projects/${id}` }, error);
      });
    try {
      const progress = createProgressBar('Measuring', context.errorOutput);
      await waitForRequest(client, started.rq_id, progress, context.stopSignal);
      const report = await readReport(client, started.id, wanted);
      const { tasks } = await client.call('getEvaluation', { params: { id: started.id } });
      for (const { id: task, name, left_out: reason } of tasks) {
        if (reason !== null) note(context, `Task ${task} (${name}) is left out: ${reasons[reason]}.`);
      }
      return report;
    } finally {
      await client.call('deleteEvaluation', { params: { id: started.id } });
    }
  });
}
