import { boxExtent } from '../kit/box-extent.ts';
import { createItemNames, subsetName } from '../kit/dataset-items.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { createObjectWriter } from '../kit/image-files/object-writer.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import type { Exporter } from '../kit/plugin.ts';
import { walkSubsets } from '../kit/subset-walk.ts';

const format = 'FiftyOne';

/** Fields of its own class of a detection: it does not read an object that has an attribute of such a name. */
const ownFields = new Set([
  'id',
  'label',
  'tags',
  'bounding_box',
  'mask',
  'mask_path',
  'confidence',
  'index',
  'instance',
]);

/** `<subset>/labels.json`, boxes in shares of their image by its name without the extension; images in `<subset>/data`. */
export const exportFiftyOne: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const names = createItemNames({ format, report });
  let size = { width: 1, height: 1 };
  const { objectsOf, tagsOf } = createObjectWriter(
    {
      format,
      kinds: new Set(['rectangle']),
      kept: { attributes: true, score: true },
      object({ label, attributes, score }, { points }) {
        const { width, height } = size;
        const shares = boxExtent(points).map((side, index) => side / (index % 2 === 0 ? width : height));
        const own = attributes.filter(({ name }) => !ownFields.has(name));
        for (const { name } of attributes)
          if (ownFields.has(name))
            report.lost('attribute', label, `${format} has a field of its own of the name "${name}".`);
        return {
          label,
          bounding_box: shares,
          ...(score === undefined || score === 1 ? {} : { confidence: score }),
          ...(own.length === 0 ? {} : { attributes: Object.fromEntries(own.map(({ name, value }) => [name, value])) }),
        };
      },
    },
    task_data,
    report,
  );
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      const entry = await zip.beginEntry(`${subsetName({ subset }, format)}/labels.json`);
      const json = createJsonWriter(entry);
      json.ascii('{"classes":');
      json.value(task_data.meta.labels.map(({ name }) => name));
      json.ascii(',"labels":{');
      let separator = '\n';
      for (const frame of steps.frames(frames)) {
        const item = names.claim(frame);
        if (!item) continue;
        tagsOf(frame);
        size = { width: frame.width > 0 ? frame.width : 1, height: frame.height > 0 ? frame.height : 1 };
        json.ascii(separator);
        separator = ',\n';
        json.string(item.stem);
        json.ascii(':');
        json.value(objectsOf(frame));
        if (json.isFull) await json.drain();
      }
      json.ascii('\n}}\n');
      await json.flush();
      await entry.end();
    }
    await steps.images(zip, (frame) => `${subsetName(frame, format)}/data/${imageName(task_data, frame)}`);
  });
};
