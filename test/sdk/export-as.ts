import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { TaskData } from '../../main/formats/kit/task-data.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';

const registry = createFormatRegistry();

/** Writes a file in a format, with the images where nothing else is said. */
export async function exportAs(format: string, path: string, data: TaskData, options: object = {}): Promise<void> {
  const exporter = registry.findExporter(format);
  if (!exporter) throw new Error(`There is no exporter "${format}".`);
  const { signal } = new AbortController();
  const report = createFormatReport();
  await exporter.run({ path }, data, { report, signal, progress: () => undefined, save_images: true, ...options });
}
