import { backX, backY } from '../image/image-tensor.ts';
import { numbersOf, outputLike } from '../tensor.ts';
import { rounded, scoreText, type DetectorItem, type HeadInput } from './found.ts';

const visible = 0.3;

/** One skeleton per image: y, x and score of each point as fractions of the model input. */
export function decodeSinglePose({ outputs, description, placing, threshold }: HeadInput): DetectorItem[] {
  const values = numbersOf(outputLike(outputs, 'points', ({ dims }) => dims.at(-1) === 3));
  const points = description.keypoints.map((name, index) => {
    const [y = 0, x = 0, score = 0] = [0, 1, 2].map((place) => values[index * 3 + place] ?? 0);
    return { name, score, at: [backX(placing, x * placing.width), backY(placing, y * placing.height)] };
  });
  const score = points.reduce((sum, one) => sum + one.score, 0) / Math.max(1, points.length);
  const [label = ''] = description.labels;
  if (score < threshold || label === '') return [];
  const elements = points.map((one) => ({
    label: one.name,
    type: 'points',
    outside: one.score < visible ? 1 : 0,
    points: one.at.map(rounded),
    confidence: scoreText(one.score),
  }));
  return [{ label, confidence: scoreText(score), type: 'skeleton', elements }];
}
