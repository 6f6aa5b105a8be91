import { amongFiles, isWithinReach } from '../kit/detection.ts';
import { isSystemFile } from '../io/source.ts';

/** A darknet dataset has a file `obj.data`. */
export const detectYolo = amongFiles((source) => {
  const paths = source.entries.map(({ path }) => path).filter((path) => isWithinReach(path) && !isSystemFile(path));
  const description = paths.find((path) => /(^|\/)obj\.data$/.test(path));
  if (description === undefined) return null;
  const hasNames = paths.some((path) => path.endsWith('.names'));
  const reason = `It has the description file ${description} of a darknet dataset.`;
  return { reason, confidence: hasNames ? 1 : 0.8 };
});
