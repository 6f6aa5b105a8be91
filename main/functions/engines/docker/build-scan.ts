import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { taggedReference } from '../../configuration/image-reference.ts';
import { variablePermissions, type Permission } from '../../policy/permissions.ts';
import { readDirectives, type ReadDirective } from './build-variables.ts';

/** Permission for network access during a build. */
export const buildNetworkGrant = 'build-network';

export interface DirectiveFinding {
  /** For example `spec.build.directives.preCopy[2]`. */
  readonly key: string;
  readonly directive: string;
  /**
   * `network`: Docker would fetch something itself, so the build cannot work without network access. `likely-network`:
   * runs a program that usually downloads. `missing`: a file of this computer does not exist.
   */
  readonly kind: 'network' | 'likely-network' | 'missing';
  readonly reason: string;
}

export interface BuildScan {
  readonly baseImage: string;
  readonly hasBaseImage: boolean;
  readonly findings: readonly DirectiveFinding[];
  readonly variables: readonly string[];
}

/** Programs that download, as words of a shell command. */
const fetchers: readonly (readonly [RegExp, string])[] = [
  [/\b(apt|apt-get|aptitude)\b.*\b(update|install|upgrade)\b/, 'installs Debian packages'],
  [/\b(apk|yum|dnf|microdnf|zypper)\b.*\b(add|install|update|upgrade)\b/, 'installs packages'],
  [/\b(pip|pip3|python3? -m pip)\b.*\b(install|download)\b(?!.*--no-index)/, 'installs Python packages'],
  [/\b(conda|mamba|micromamba)\b.*\b(install|create|update|env)\b/, 'installs conda packages'],
  [/\b(poetry|pipenv|uv|mim)\b.*\b(install|sync|add|download)\b/, 'installs Python packages'],
  [/\b(npm|yarn|pnpm)\b.*\b(install|ci|add)\b/, 'installs Node.js packages'],
  [/\bgit\b.*\b(clone|fetch|pull|submodule)\b/, 'fetches a repository'],
  [/\b(curl|wget|aria2c|gdown|gsutil|aws s3|huggingface-cli|kaggle)\b/, 'downloads files'],
  [/\bomz_downloader\b|\bdownloader\.py\b/, 'downloads a model'],
  [/https?:\/\/(?!localhost|127\.)/, 'contains a network address'],
];

/**
 * Scans every directive before Docker runs it. Even in a build without network access, Docker fetches URLs of ADD and
 * COPY and pulls missing images.
 */
export async function scanBuild(
  { build, name }: Pick<FunctionConfiguration, 'build' | 'name'>,
  baseImage: string,
  hasImage: (reference: string) => Promise<boolean>,
  baseVariables: Readonly<Record<string, string>> = {},
): Promise<BuildScan> {
  const findings: DirectiveFinding[] = [];
  const directives = readDirectives(build, baseVariables);
  for (const [index, read] of directives.entries()) {
    const found = await scanDirective(read, hasImage);
    if (!found) continue;
    const isBefore = index < build.preCopy.length;
    const place = isBefore ? `preCopy[${index}]` : `postCopy[${index - build.preCopy.length}]`;
    const { kind, value } = read.directive;
    findings.push({
      key: `spec.build.directives.${place}`,
      directive: `${kind} ${value}`.slice(0, 200),
      ...found,
    });
  }
  const hasBaseImage = await hasImage(baseImage);
  if (!hasBaseImage) {
    findings.unshift({
      key: 'spec.build.baseImage',
      directive: `FROM ${taggedReference(baseImage)}`,
      kind: 'missing',
      reason: `Docker does not have the image "${taggedReference(baseImage)}", from which "${name}" is built`,
    });
  }
  return { baseImage, hasBaseImage, findings, variables: directives.flatMap(({ names }) => names) };
}

type Finding = Pick<DirectiveFinding, 'kind' | 'reason'>;

async function scanDirective(
  { directive: { kind, value: written }, expanded }: ReadDirective,
  hasImage: (reference: string) => Promise<boolean>,
): Promise<Finding | null> {
  const { text: value, unknown } = expanded;
  if (kind === 'ADD' || kind === 'COPY') {
    if (
      /(^|[\s"[,])(https?|ftp|git|ssh):\/\//i.test(value) ||
      /(^|[\s"[,])git@/i.test(value) ||
      /\.git(#|\s|"|$)/.test(value)
    ) {
      return { kind: 'network', reason: 'Docker would fetch this address itself' };
    }
    // COPY reads only files of the build, whatever its variables contain, but `--from` can name any image.
    if (unknown.length > 0 && (kind === 'ADD' || /--from=\S*\$/.test(written))) {
      const reason = `the value of ${unknown[0]} is unknown, and Docker would fetch an address itself`;
      return { kind: 'network', reason };
    }
    const from = /--from=(\S+)/.exec(value)?.[1];
    if (from !== undefined && !(await hasImage(from))) {
      return { kind: 'missing', reason: `Docker does not have the image "${taggedReference(from)}"` };
    }
    return null;
  }
  if (kind !== 'RUN') return null;
  if (/--mount=/.test(written)) return { kind: 'missing', reason: 'builds do not support mounts' };
  const commands = [written.replaceAll(/\\\s*\n/g, ' '), value];
  const found = fetchers.find(([pattern]) => commands.some((command) => pattern.test(command)));
  if (found) return { kind: 'likely-network', reason: `it ${found[1]}` };
  return /^\s*["']?\$/.test(written) && unknown.length > 0
    ? { kind: 'likely-network', reason: `it runs the value of ${unknown[0]}, which is unknown` }
    : null;
}

export function buildPermissions({ findings, variables }: BuildScan): Permission[] {
  const blocking = findings.filter(({ kind }) => kind === 'network');
  if (blocking.length === 0) return variablePermissions(variables);
  return [
    ...variablePermissions(variables),
    {
      id: buildNetworkGrant,
      message: `Access the network while its image is built (${blocking.map(({ directive }) => directive.slice(0, 80)).join('; ')}).`,
    },
  ];
}
