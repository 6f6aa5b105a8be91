import { extname } from 'node:path';
import { z } from 'zod';
import type { FormatCandidate } from '../kit/detection.ts';
import type { SourceFile } from '../kit/plugin.ts';
import type { PluginReference } from './plugin-format.ts';
import { runPluginProcess } from './plugin-process.ts';

/** Confidence from a file extension; lower for an extension that many formats share. */
const byExtension = { own: 0.3, shared: 0.1 } as const;
const sharedExtensions: ReadonlySet<string> = new Set(['zip', 'json', 'xml', 'csv', 'txt', 'tar', 'gz']);

const detectionSchema = z.object({ reason: z.string().min(1).max(500), confidence: z.number().min(0).max(1) });

/** Detection by importers of users' plug-ins. One that fails or takes too long is ignored. */
export async function detectPluginFormats(
  file: SourceFile,
  references: readonly PluginReference[],
): Promise<FormatCandidate[]> {
  const candidates: FormatCandidate[] = [];
  for (const reference of references.filter(({ enabled }) => enabled)) {
    const found = reference.detects ? await askPlugin(file, reference) : fromExtension(file, reference);
    if (found) candidates.push(found);
  }
  return candidates;
}

async function askPlugin(file: SourceFile, reference: PluginReference): Promise<FormatCandidate | null> {
  const { sandbox, module, readable, display_name } = reference;
  if (/[*\0]/.test(file.path)) return fromExtension(file, reference);
  let found: unknown = null;
  try {
    await runPluginProcess({
      sandbox,
      module,
      start: { command: 'detect', module, format: display_name, file: { path: file.path, name: file.name } },
      grants: { read: [...readable, file.path], write: [] },
      kept: 'The plug-in was ignored for this file.',
      onFrame({ message }) {
        const { say, found: said } = (message ?? {}) as { say?: unknown; found?: unknown };
        if (say === 'done') return 'done';
        if (say === 'detected') found = said;
        return undefined;
      },
    });
  } catch {
    // The user can still choose this plug-in, and its error is reported then.
    return fromExtension(file, reference);
  }
  const parsed = detectionSchema.safeParse(found);
  return parsed.success ? { name: display_name, ...parsed.data } : null;
}

function fromExtension({ name }: SourceFile, { display_name, ext }: PluginReference): FormatCandidate | null {
  const extension = extname(name).slice(1).toLowerCase();
  const known = ext.split(',').map((one) => one.trim().toLowerCase());
  if (extension === '' || !known.includes(extension)) return null;
  return {
    name: display_name,
    reason: `${name} ends in .${extension}, like the files of this plug-in; only its name was checked.`,
    confidence: sharedExtensions.has(extension) ? byExtension.shared : byExtension.own,
  };
}
