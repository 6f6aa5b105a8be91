import { byJsonHead } from '../kit/json-heads.ts';

export const detectVott = byJsonHead(({ path, text, isList, has }) => {
  if (isList) return null;
  if (has('assets') && (has('tags') || /"regions"\s*:/.test(text)))
    return { reason: `${path} is JSON with assets and their regions.`, confidence: 0.95 };
  return has('asset') && has('regions')
    ? { reason: `${path} is JSON about one asset and its regions.`, confidence: 0.95 }
    : null;
});
