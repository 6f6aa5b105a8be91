import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredExporter } from '../../main/formats/kit/plugin.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';

/** On the first frame, with an attribute. */
export const redShape = (type: LabeledShape['type'], label: string, points: readonly number[]): LabeledShape => ({
  type,
  frame: 0,
  label,
  points,
  occluded: false,
  attributes: [{ name: 'colour', value: 'red' }],
  group: 0,
  z_order: 0,
});

/** Exports one picture of a subset `train`, with its shapes and the tag `sunny`, without the image. */
export async function writeOnePicture(
  exporter: RegisteredExporter,
  path: string,
  { name, ...scene }: Pick<InMemoryTaskDataOptions, 'labels' | 'shapes'> & { readonly name: string },
): Promise<void> {
  const data = createInMemoryTaskData({
    ...scene,
    frames: [{ name, width: 320, height: 240, subset: 'train' }],
    tags: [{ frame: 0, label: 'sunny', attributes: [], group: 0 }],
  });
  const { signal } = new AbortController();
  const report = createFormatReport();
  await exporter.run({ path }, data, { report, signal, progress: () => undefined, save_images: false });
}
