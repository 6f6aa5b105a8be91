import { byJsonHead } from '../kit/json-heads.ts';

export const detectDatumaro = byJsonHead(({ path, isList, has }) =>
  !isList && has('categories') && has('items')
    ? { reason: `${path} is JSON with categories and items at its top level.`, confidence: 0.95 }
    : null,
);
