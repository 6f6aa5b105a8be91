import type { ModelEngine, ModelFunction, ModelSource } from '../../../../preload/contract/schema/functions.ts';

export type GroupKind = 'file' | 'engine' | 'agents' | ModelSource['kind'];

/** Models of one source, in the order of the list. */
export interface SourceGroup {
  readonly key: string;
  readonly kind: GroupKind;
  /** Engine or address; empty for the sources of this computer that have none. */
  readonly place: string;
  readonly models: readonly ModelFunction[];
  /** Names of functions that Limner knows only from a dashboard. */
  readonly elsewhere: readonly string[];
  readonly engine: ModelEngine | null;
  readonly source: ModelSource | null;
}

const kinds: readonly GroupKind[] = ['file', 'engine', 'agents', 'inference', 'chat', 'url', 'nuclio'];
const localEngine = 'default';
const servedModel = '/v2/models/';

interface Known {
  readonly models: readonly ModelFunction[];
  /** Sources and Engines are listed for users who manage functions only. */
  readonly engines: readonly ModelEngine[];
  readonly sources: readonly ModelSource[];
}

/** Groups models by source. Dashboards are listed even if they have no functions. */
export function groupBySource({ models, engines, sources }: Known): SourceGroup[] {
  const keyed = Map.groupBy(models, (model) => keyOf(model, sources));
  const keys = new Set([...keyed.keys(), ...sources.map(({ id, kind }) => (kind === 'nuclio' ? `nuclio ${id}` : ''))]);
  keys.delete('');
  return [...keys]
    .map((key) => groupOf(key, keyed.get(key) ?? [], engines, sources))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.place.localeCompare(b.place));
}

function groupOf(
  key: string,
  models: readonly ModelFunction[],
  engines: readonly ModelEngine[],
  sources: readonly ModelSource[],
): SourceGroup {
  const kind = kinds.find((one) => key === one || key.startsWith(`${one} `)) ?? 'url';
  const place = key.slice(kind.length + 1);
  const engine = kind === 'engine' ? (engines.find(({ name }) => name === place) ?? null) : null;
  const source = sources.find(({ id }) => id === place) ?? null;
  const elsewhere = kind === 'nuclio' ? (source?.models ?? []) : [];
  return { key, kind, place: source?.address ?? place, models, elsewhere, engine, source };
}

function keyOf(model: ModelFunction, sources: readonly ModelSource[]): string {
  const { provider, address, engine, name } = model;
  if (provider === 'native') return 'agents';
  if (provider === 'docker') return `engine ${engine ?? localEngine}`;
  if (address === null) return 'file';
  const source = sources.find((one) => one.models.includes(name) && one.kind !== 'nuclio');
  if (source !== undefined) return `${source.kind} ${source.id}`;
  const at = address.indexOf(servedModel);
  if (at >= 0) return `inference ${address.slice(0, at)}`;
  return `${model.fills_attributes === true ? 'chat' : 'url'} ${address}`;
}
