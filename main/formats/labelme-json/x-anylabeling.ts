import { exportLabelMeFiles, type LabelMeDialect, labelMeSupport } from './export.ts';
import { labelMeReader } from './import.ts';
import { detailMembers } from './write-shape.ts';
import { defineFormat } from '../kit/define-format.ts';
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

/** X-AnyLabeling: files as labelme has them, with attributes, scores and directions of turned boxes. */
export const xAnyLabeling = defineFormat({
  name: format,
  version: '1.0',
  support: labelMeSupport,
  importExt: 'JSON, ZIP',
  detect: detectXAnyLabeling,
  read: labelMeReader(format),
  write: (file_object, task_data, options) => exportLabelMeFiles(createDialect(), file_object, task_data, options),
});
