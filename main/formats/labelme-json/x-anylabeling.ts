import { exportLabelMeFiles, type LabelMeDialect, labelMeSupport } from './export.ts';
import { importLabelMeFiles } from './import.ts';
import { detailMembers } from './write-shape.ts';
import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { detectXAnyLabeling } from './detect.ts';

const format = 'X-AnyLabeling JSON';

/** Turned boxes are called `rotation` there, and say in radians how far they are turned. */
function createDialect(): LabelMeDialect {
  return {
    format,
    version: '2.5.0',
    document: { description: '' },
    shape(shape, { shape_type, points, mask }) {
      const { own, members } = detailMembers(shape, ({ name }) => name === 'description' || name === 'difficult');
      const { attributes = {}, score = null, ...others } = members;
      const isTurned = shape_type === 'oriented_rectangle';
      return {
        label: shape.label,
        score,
        points,
        group_id: shape.group === 0 ? null : shape.group,
        description: own.get('description') ?? '',
        difficult: own.get('difficult') === 'true',
        shape_type: isTurned ? 'rotation' : shape_type,
        flags: {},
        attributes,
        kie_linking: [],
        ...(isTurned ? { direction: ((shape.rotation ?? 0) * Math.PI) / 180 } : {}),
        ...(mask === undefined ? {} : { mask }),
        ...others,
      };
    },
  };
}

const xAnyLabeling: FormatParameters = {
  name: format,
  version: '1.0',
  ext: 'ZIP',
  display_name: `${format} 1.0`,
  support: labelMeSupport,
};

/** X-AnyLabeling: files as labelme has them, with attributes, scores and directions of turned boxes. */
export const xAnyLabelingImporter = importer({ ...xAnyLabeling, ext: 'JSON, ZIP', detect: detectXAnyLabeling })(
  (file_object, task_data, options) => importLabelMeFiles(format, file_object, task_data, options),
);
export const xAnyLabelingExporter = exporter(xAnyLabeling)((file_object, task_data, options) =>
  exportLabelMeFiles(createDialect(), file_object, task_data, options),
);
