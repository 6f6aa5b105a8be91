import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelProblem } from '../configuration/model-description.ts';
import { modelOf } from '../records/function-record.ts';
import type { DeployPlan } from './deploy-plan.ts';

const longestHandler = 1024 * 1024;

/**
 * CVAT's Segment Anything answers features of a picture (`blob`), which a decoder outside of the function makes masks of.
 * What a handler will answer shows in its text only.
 */
export async function featureWarnings(plan: DeployPlan, hasDecoder: (name: string) => boolean): Promise<string[]> {
  const { configuration } = plan;
  const model = modelOf(configuration);
  const isInteractor = !(model instanceof ModelProblem) && model.kind === 'interactor';
  if (!isInteractor || hasDecoder(configuration.name)) return [];
  const file = `${configuration.handler.split(':')[0] ?? 'main'}.py`;
  const sent = plan.files.find(({ path }) => path === file)?.content.toString();
  const text =
    sent ?? (plan.directory === null ? '' : await readFile(join(plan.directory, file), 'utf8').catch(() => ''));
  if (!/['"]blob['"]\s*:/.test(text.slice(0, longestHandler))) return [];
  const warning =
    `Its handler answers features, which need a decoder: after it is deployed, give it the ONNX file of its decoder ` +
    `(limner model decoder ${configuration.name} FILE). Without one a click in the workspace shows nothing.`;
  return [warning];
}
