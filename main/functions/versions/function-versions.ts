import { rm } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { ModelVersions, VersionChanges } from '../../../preload/contract/schema/function-versions.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { imagePart } from '../configuration/image-reference.ts';
import { findImage, holdImage, removeMadeImage } from '../engines/docker/images.ts';
import { readRecord, type FunctionRecord } from '../records/function-record.ts';
import { localEngine, type FunctionRow } from '../records/function-repository.ts';
import { lineChanges } from './line-changes.ts';
import { readVersionFiles, versionFilesSchema, type VersionFile } from './version-files.ts';
import type { VersionRepository, VersionRow } from './version-repository.ts';

/** Includes the current version. More versions would fill Docker's disk with unused images. */
const keptVersionCount = 5;
const configurationFile = 'function.yaml';

interface Dependencies {
  readonly rows: VersionRepository;
  /** Containers of an Engine, by its name. */
  readonly containersOf: (engine: string) => Pick<DockerFunctions, 'engine'>;
  readonly secrets: SecretBox;
}

/** A recorded version and the permanent name of its image. */
export interface KeptVersion {
  readonly version: number;
  readonly record: FunctionRecord;
  readonly image: string;
}

export type FunctionVersions = ReturnType<typeof createFunctionVersions>;

/** Recorded versions of deployed functions, which can be compared and restored. */
export function createFunctionVersions({ rows, containersOf, secrets }: Dependencies) {
  // Versions from before there were several Engines name none.
  const rowOf = ({ deployed }: VersionRow): FunctionRow => ({
    engine: localEngine,
    ...(JSON.parse(deployed) as Omit<FunctionRow, 'engine'> & Partial<Pick<FunctionRow, 'engine'>>),
  });
  const recordOf = (row: VersionRow): FunctionRecord => readRecord(rowOf(row), secrets);
  const filesOf = ({ files }: VersionRow): VersionFile[] | null =>
    files === null ? null : versionFilesSchema.parse(JSON.parse(files));

  function required(name: string, version: number): VersionRow {
    const row = rows.get(name, version);
    if (row) return row;
    const kept = rows.list(name).map((one) => one.version);
    const there = kept.length === 0 ? 'No version is saved.' : `There are: ${kept.join(', ')}.`;
    throw notFound(`There is no version ${version} of "${name}". ${there}`);
  }

  /** Deletes what only this version used: its image names and its saved folder. */
  async function drop(row: VersionRow): Promise<void> {
    const { function_name: name, version } = row;
    const own = rowOf(row);
    rows.remove(name, version);
    const others = rows.list(name).map(rowOf);
    await containersOf(own.engine).engine.use(async (docker) => {
      await docker
        .getImage(heldName(name, version))
        .remove()
        .catch(() => undefined);
      const image = own.running_image;
      const isUsed = others.some((other) => other.running_image === image);
      if (own.is_image_made === 1 && image !== null && !isUsed) await removeMadeImage(docker, image);
    });
    const { directory } = own;
    const isRead = others.some((other) => other.directory === directory);
    if (own.is_directory_own === 1 && directory !== null && !isRead)
      await rm(directory, { recursive: true, force: true });
  }

  return {
    /** Number of the next deployment; numbers are never reused. */
    next: (name: string, current: number): number => Math.max(current, rows.list(name)[0]?.version ?? 0) + 1,
    has: (name: string, version: number): boolean => rows.get(name, version) !== undefined,
    /** Records the deployed function and adds a name to its image. */
    async keep({ row }: FunctionRecord): Promise<void> {
      const { name, version, running_image: image, directory, way, engine } = row;
      if (image === null) return;
      await containersOf(engine).engine.use((docker) => holdImage(docker, image, heldName(name, version)));
      const hasFiles = way !== 'image' && directory !== null;
      const files = hasFiles ? await readVersionFiles(directory).catch(() => null) : [];
      rows.put({
        function_name: name,
        version,
        deployed: JSON.stringify(row),
        files: files === null ? null : JSON.stringify(files),
        created_date: row.updated_date,
      });
    },
    /** Deletes the oldest versions, but never the current one. */
    async prune(name: string, current: number): Promise<void> {
      const others = rows.list(name).filter(({ version }) => version !== current);
      for (const row of others.slice(keptVersionCount - 1)) await drop(row);
    },
    async removeAll(name: string): Promise<void> {
      for (const row of rows.list(name)) await drop(row);
    },
    list: (name: string, current: number): ModelVersions => ({
      max_count: keptVersionCount,
      versions: rows.list(name).map((row) => {
        const { row: own, configuration } = recordOf(row);
        return {
          version: row.version,
          is_current: row.version === current,
          way: own.way,
          image: own.image,
          directory: own.is_directory_own === 1 ? null : own.directory,
          runtime: configuration.runtime.text,
          created_date: row.created_date,
        };
      }),
    }),
    /** @throws AppError 404 for an unknown version; 409 if its image no longer exists */
    async find(name: string, version: number): Promise<KeptVersion> {
      const record = recordOf(required(name, version));
      const image = heldName(name, version);
      const { engine } = containersOf(record.row.engine);
      if (await engine.use((docker) => findImage(docker, image))) return { version, record, image };
      const message = `Docker no longer has the image of version ${version} (${image}). Deploy it again from its source.`;
      throw new AppError('conflict', message);
    },
    changes(name: string, version: number, since?: number): VersionChanges {
      const row = required(name, version);
      const earlier = rows.list(name).find((one) => one.version < version)?.version;
      const before = required(name, since ?? earlier ?? version);
      const [old, next] = [recordOf(before), recordOf(row)];
      const [oldFiles, nextFiles] = [filesOf(before), filesOf(row)];
      const known = oldFiles !== null && nextFiles !== null;
      return {
        since: before.version,
        version,
        variables: changedVariables(old, next),
        knows_files: known,
        files: [...configurationChanges(old, next), ...(known ? fileChanges(oldFiles, nextFiles) : [])],
      };
    },
  };
}

/** Separate image name, so that the image stays when its other names move. */
const heldName = (name: string, version: number): string => `limner-function/${imagePart(name)}:version-${version}`;

function changedVariables(old: FunctionRecord, next: FunctionRecord): string[] {
  const [before, after] = [old, next].map(
    ({ configuration }) => new Map(configuration.env.map(({ name, value }) => [name, value])),
  );
  return [...(after ?? [])]
    .flatMap(([name, value]) => (before?.has(name) === true && before.get(name) !== value ? [name] : []))
    .toSorted();
}

function configurationChanges(old: FunctionRecord, next: FunctionRecord): VersionChanges['files'] {
  const lines = lineChanges(stringify(old.document), stringify(next.document));
  return lines.length === 0 ? [] : [{ path: configurationFile, change: 'changed', lines }];
}

function fileChanges(old: readonly VersionFile[], next: readonly VersionFile[]): VersionChanges['files'] {
  const [before, after] = [old, next].map((files) => new Map(files.map((file) => [file.path, file])));
  const paths = new Set([...old, ...next].map(({ path }) => path));
  // The configuration is compared separately, as deployed.
  paths.delete(configurationFile);
  return [...paths].toSorted().flatMap((path): VersionChanges['files'] => {
    const [was, is] = [before?.get(path), after?.get(path)];
    if (was !== undefined && is !== undefined) {
      if (was.sha256 === is.sha256 && was.size_bytes === is.size_bytes) return [];
      return [{ path, change: 'changed', lines: textChanges(was.text, is.text) }];
    }
    if (is !== undefined) return [{ path, change: 'added', lines: textChanges('', is.text) }];
    return [{ path, change: 'removed', lines: textChanges(was?.text ?? null, '') }];
  });
}

const textChanges = (before: string | null, after: string | null) =>
  before === null || after === null ? null : lineChanges(before, after);
