import { type FormatCandidate, isWithinReach } from '../kit/detection.ts';
import { isSystemFile, type Source } from '../io/source.ts';

/** A darknet dataset has a file `obj.data`. */
export async function detectYolo(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const paths = source.entries.map(({ path }) => path).filter((path) => isWithinReach(path) && !isSystemFile(path));
  const description = paths.find((path) => /(^|\/)obj\.data$/.test(path));
  if (description === undefined) return [];
  const hasNames = paths.some((path) => path.endsWith('.names'));
  return [
    {
      name: 'YOLO 1.1',
      reason: `It has the description file ${description} of a darknet dataset.`,
      confidence: hasNames ? 1 : 0.8,
    },
  ];
}
