import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type {
  EngineStatus,
  EnvironmentInspection,
  modelSampleSchema,
} from '../../../preload/contract/schema/functions.ts';
import { parseConfigurationText } from '../configuration/parse-configuration.ts';
import { ModelProblem } from '../configuration/model-description.ts';
import { inspectEnvironment, buildBaseImage, type BaseImageInput } from '../engines/docker/base-image.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { EngineUnavailable } from '../engines/docker/engine-problem.ts';
import { importArchive, listImages } from '../engines/docker/images.ts';
import { probeGpu } from '../engines/docker/probe-gpu.ts';
import { invalidField } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { modelOf } from '../records/function-record.ts';
import type { FunctionRuntimes } from '../runtime/function-runtimes.ts';
import type { GpuScheduler } from '../runtime/gpu-scheduler.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const view = (actor: Actor) => requireAllowed(actor, 'function', 'view', noFacts);

type Sample = z.output<typeof modelSampleSchema>;

/** The Docker Engine, its images and the samples. */
export function createEngineService({
  containers,
  runtimes,
  scheduler,
  samplesDirectory,
}: {
  readonly containers: DockerFunctions;
  readonly runtimes: Pick<FunctionRuntimes, 'attached'>;
  readonly scheduler: Pick<GpuScheduler, 'status'>;
  readonly samplesDirectory: string;
}) {
  return {
    async engineStatus(actor: Actor): Promise<EngineStatus> {
      view(actor);
      const cards = await scheduler.status();
      const place = () => containers.engine.place();
      try {
        await runtimes.attached();
        const { facts } = await containers.engine.connect();
        const { version, cpuCores: cpu_cores, memoryBytes: memory_bytes } = facts;
        return { state: 'connected', message: '', socket: place(), version, cpu_cores, memory_bytes, gpus: cards };
      } catch (error) {
        const problem = error instanceof EngineUnavailable ? error : null;
        const message = error instanceof Error ? error.message : String(error);
        const state = problem?.kind ?? 'failed';
        return { state, message, socket: place(), version: null, cpu_cores: null, memory_bytes: null, gpus: cards };
      }
    },
    probeGpu(actor: Actor, image?: string) {
      manage(actor);
      return containers.engine.use((docker, facts) => probeGpu(docker, facts, image));
    },
    images(actor: Actor) {
      manage(actor);
      return containers.engine.use((docker) => listImages(docker));
    },
    async importFile(actor: Actor, path: string): Promise<{ images: string[] }> {
      manage(actor);
      const facts = isAbsolute(path) ? await stat(path).catch(() => null) : null;
      if (!facts?.isFile()) throw invalidField('path', `There is no file ${path} on this computer.`);
      return this.importStream(actor, createReadStream(path));
    },
    async importStream(actor: Actor, archive: Readable): Promise<{ images: string[] }> {
      manage(actor);
      return { images: await containers.engine.use((docker) => importArchive(docker, archive)) };
    },
    async buildBaseImage(actor: Actor, input: BaseImageInput): Promise<{ image: string }> {
      manage(actor);
      return { image: await containers.engine.use((docker) => buildBaseImage(docker, input)) };
    },
    async inspectEnvironment(actor: Actor, path: string): Promise<EnvironmentInspection> {
      manage(actor);
      return inspectEnvironment(path);
    },
    async samples(actor: Actor): Promise<Sample[]> {
      view(actor);
      const names = await readdir(samplesDirectory).catch((): string[] => []);
      const samples = await Promise.all(names.toSorted().map((name) => readSample(samplesDirectory, name)));
      return samples.filter((sample) => sample !== null);
    },
  };
}

async function readSample(directory: string, id: string): Promise<Sample | null> {
  const text = await readFile(join(directory, id, 'function.yaml'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { configuration } = parseConfigurationText(text);
  const model = modelOf(configuration);
  if (model instanceof ModelProblem) return null;
  const language = configuration.runtime.language === 'python' ? 'python' : 'node';
  return { id, title: model.name, kind: model.kind, description: model.description, language };
}
