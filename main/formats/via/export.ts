import { subsetName } from '../kit/dataset-items.ts';
import { boxOfPoints } from '../../../preload/contract/geometry.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { createObjectWriter } from '../kit/image-files/object-writer.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import type { Exporter } from '../kit/plugin.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import { tagsAttribute } from './read-region.ts';

const format = 'VIA JSON';
/** VIA names an image by its file and size; this is what others write who do not know the size. */
const unknownSize = 0;

function shapeOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x = 0, y = 0, right = 0, top = 0] = points;
  switch (kind) {
    case 'rectangle': {
      const box = boxOfPoints(points) ?? { left: 0, top: 0, right: 0, bottom: 0 };
      const [width, height] = [addDecimals(box.right, -box.left), addDecimals(box.bottom, -box.top)];
      return { name: 'rect', x: box.left, y: box.top, width, height };
    }
    case 'point':
      return { name: 'point', cx: x, cy: y };
    case 'ellipse': {
      const [rx, ry] = [addDecimals(right, -x), addDecimals(y, -top)];
      return { name: 'ellipse', cx: x, cy: y, rx, ry, theta: (rotation * Math.PI) / 180 };
    }
    default: {
      const all_points_x = points.filter((_, index) => index % 2 === 0);
      return { name: kind, all_points_x, all_points_y: points.filter((_, index) => index % 2 === 1) };
    }
  }
}

/** `<subset>/via_region_data.json`, an object with a member for each image; they lie beside it. */
export const exportVia: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  const { objectsOf, tagsOf } = createObjectWriter(
    {
      format,
      kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
      kept: { attributes: true, rotation: true },
      object({ label, attributes }, outline) {
        for (const { name } of attributes)
          if (name === 'label') report.lost('attribute', label, `${format} has the label under the name "label".`);
        const others = attributes
          .filter(({ name }) => name !== 'label')
          .map(({ name, value }) => [name, value] as const);
        return {
          shape_attributes: shapeOf(outline),
          region_attributes: { label, ...Object.fromEntries(others) },
        };
      },
      tag: ({ label }) => ({ label }),
    },
    task_data,
    report,
  );
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      const entry = await zip.beginEntry(`${subsetName({ subset }, format)}/via_region_data.json`);
      const json = createJsonWriter(entry);
      json.ascii('{');
      let isFirst = true;
      for (const frame of steps.frames(frames)) {
        const filename = imageName(task_data, frame);
        const tags = tagsOf(frame).map(({ label }) => [String(label), true] as const);
        json.ascii(isFirst ? '\n' : ',\n');
        isFirst = false;
        json.string(`${filename}${unknownSize}`);
        json.ascii(':');
        json.value({
          filename,
          size: unknownSize,
          regions: objectsOf(frame),
          file_attributes: tags.length > 0 ? { [tagsAttribute]: Object.fromEntries(tags) } : {},
        });
        if (json.isFull) await json.drain();
      }
      json.ascii('\n}\n');
      await json.flush();
      await entry.end();
    }
    await steps.images(zip, (frame) => `${subsetName(frame, format)}/${imageName(task_data, frame)}`);
  });
};
