import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { taggedReference } from '../../configuration/image-reference.ts';
import { variableDemands, type Demand } from '../../policy/demands.ts';
import { readDirectives, type ReadDirective } from './build-variables.ts';

/** Granting it lets a build reach the network. */
export const buildNetworkGrant = 'build-network';

export interface DirectiveFinding {
  /** For example `spec.build.directives.preCopy[2]`. */
  readonly key: string;
  readonly directive: string;
  /**
   * `network`: it cannot work without the network (the Engine would fetch something itself). `likely-network`: it runs
   * a program that usually fetches something. `missing`: something of this machine is not there.
   */
  readonly kind: 'network' | 'likely-network' | 'missing';
  readonly reason: string;
}

export interface BuildScan {
  readonly baseImage: string;
  readonly hasBaseImage: boolean;
  readonly findings: readonly DirectiveFinding[];
  /** Names of the variables that the build puts into the image. */
  readonly variables: readonly string[];
}

/** Programs that fetch, as words of a shell command. */
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
  [/https?:\/\/(?!localhost|127\.)/, 'names an address of the network'],
];

/**
 * Looks at every directive of a build before the Engine does: the Engine itself fetches what ADD and COPY name by an
 * address, even when the build has no network, and pulls images that it does not have.
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
      reason: `the Engine has no image "${taggedReference(baseImage)}", from which "${name}" is built`,
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
      return { kind: 'network', reason: 'the Engine would fetch this address itself' };
    }
    // COPY takes files of the build only, wherever its words lead; its `--from` may name an image of anywhere.
    if (unknown.length > 0 && (kind === 'ADD' || /--from=\S*\$/.test(written))) {
      const reason = `what ${unknown[0]} stands for is not known before, and the Engine would fetch an address itself`;
      return { kind: 'network', reason };
    }
    const from = /--from=(\S+)/.exec(value)?.[1];
    if (from !== undefined && !(await hasImage(from))) {
      return { kind: 'missing', reason: `the Engine has no image "${taggedReference(from)}"` };
    }
    return null;
  }
  if (kind !== 'RUN') return null;
  if (/--mount=/.test(written)) return { kind: 'missing', reason: 'the Engine builds without mounts' };
  const commands = [written.replaceAll(/\\\s*\n/g, ' '), value];
  const found = fetchers.find(([pattern]) => commands.some((command) => pattern.test(command)));
  if (found) return { kind: 'likely-network', reason: `it ${found[1]}` };
  return /^\s*["']?\$/.test(written) && unknown.length > 0
    ? { kind: 'likely-network', reason: `it runs what ${unknown[0]} stands for, which is not known before` }
    : null;
}

/** What the owner would have to grant: for a build that cannot do without the network, and for what it sets. */
export function buildDemands({ findings, variables }: BuildScan): Demand[] {
  const blocking = findings.filter(({ kind }) => kind === 'network');
  if (blocking.length === 0) return variableDemands(variables);
  return [
    ...variableDemands(variables),
    {
      id: buildNetworkGrant,
      words: `Reach the network while its image is built (${blocking.map(({ directive }) => directive.slice(0, 80)).join('; ')}).`,
    },
  ];
}
