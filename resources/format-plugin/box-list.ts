/**
 * An example of a format plug-in: text files with one box per line and tabs between the fields:
 *
 * image <tab> label <tab> left <tab> top <tab> width <tab> height
 *
 * Copy it to the folder "formats" of Limner's data directory, change it to your format, and run `limner formats`.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { exporter, importer } from 'limner/formats';

const format = { name: 'Box list', version: '1.0', ext: 'TSV', display_name: 'Box list 1.0' };

/** Called when a user chooses a file, which may be truncated here. */
async function detect({ path }: { readonly path: string }) {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4096) });
  await file.close();
  const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1);
  const [name, label, ...numbers] = line.split('\t');
  const isBox = name && label && numbers.length === 4 && numbers.every((number) => Number.isFinite(Number(number)));
  return isBox
    ? { reason: 'Its first line is an image, a label and the four numbers of a box.', confidence: 0.9 }
    : null;
}

export const boxListImporter = importer({ ...format, detect })(async (file_object, task_data, options) => {
  const lines = createInterface({ input: createReadStream(file_object.path, 'utf8'), crlfDelay: Infinity });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const at = `line ${number}`;
    const [name = '', label = '', ...numbers] = line.split('\t');
    const [left = Number.NaN, top = Number.NaN, width = Number.NaN, height = Number.NaN] = numbers.map(Number);
    const frame = task_data.match_frame({ name });
    if (frame === null) {
      options.report.invalid(file_object.name, at, `there is no image "${name}"`);
      continue;
    }
    // Limner checks each object. Invalid ones are dropped and reported with `at`; the others are imported.
    task_data.add_shape(
      {
        type: 'rectangle',
        frame,
        label,
        points: [left, top, left + width, top + height],
        occluded: false,
        attributes: [],
        group: 0,
        z_order: 0,
      },
      at,
    );
  }
});

export const boxListExporter = exporter(format)(async (file_object, task_data, options) => {
  const { report } = options;
  if (options.save_images) report.warn('A box list has no images: only the annotations were written.');
  const file = await open(file_object.path, 'w');
  let done = 0;
  for (const { name, labeled_shapes, tags } of task_data.group_by_frame(true)) {
    for (const { type, label, points, rotation } of labeled_shapes) {
      const [left = 0, top = 0, right = 0, bottom = 0] = points;
      if (type !== 'rectangle') report.dropped(type, label, 'A box list has boxes only.');
      else if (rotation) report.dropped('rotated rectangle', label, 'A box list has no rotated boxes.');
      else {
        await file.write(`${[name, label, left, top, right - left, bottom - top].join('\t')}\n`);
        report.included(type, label);
      }
    }
    for (const { label } of tags) report.dropped('tag', label, 'A box list has boxes only.');
    done += 1;
    options.progress(done / task_data.frame_count);
  }
  await file.close();
});
