import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeModel, ModelProblem } from '../configuration/model-description.ts';
import type { DeployPlan } from './deploy-plan.ts';

const longestHandler = 1024 * 1024;

/**
 * CVAT's Segment Anything answers features of a picture (`blob`), which a decoder outside of the function makes masks of.
 * What a handler will answer shows in its text only.
 */
export async function featureWarnings(plan: DeployPlan, hasDecoder: (name: string) => boolean): Promise<string[]> {
  const { configuration } = plan;
  if (!isInteractor(plan) || hasDecoder(configuration.name)) return [];
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

function isInteractor({ configuration }: DeployPlan): boolean {
  try {
    return describeModel(configuration).kind === 'interactor';
  } catch (error) {
    if (error instanceof ModelProblem) return false;
    throw error;
  }
}
