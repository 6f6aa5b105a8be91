import { kappaOf, measuresOfClasses, total, type ClassMeasures, type Confusion } from '../../comparison/confusion.ts';

/** Mean over the classes that occur; −1 if there are none. */
function meanOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const known = classes.filter(({ truths, results }) => truths + results > 0);
  return known.length === 0 ? -1 : total(known.map(of)) / known.length;
}

function weightedOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const truths = total(classes.map((one) => one.truths));
  return truths === 0 ? -1 : total(classes.map((one) => one.truths * Math.max(0, of(one)))) / truths;
}

/** For image labels. Macro is the mean over classes; weighted uses the number of truths as weights. */
export function summarizeClasses(confusion: Confusion): Readonly<Record<string, number>> {
  const classes = measuresOfClasses(confusion);
  const all = total(confusion.map(total));
  const kappa = kappaOf(confusion) ?? -1;
  const supported = classes.filter(({ truths }) => truths > 0);
  return {
    accuracy: all === 0 ? -1 : total(classes.map(({ hits }) => hits)) / all,
    balancedAccuracy: meanOf(supported, ({ recall }) => recall),
    // If both sides contain one class only, agreement by chance is complete.
    kappa: Number.isNaN(kappa) ? 1 : kappa,
    precision: meanOf(classes, ({ precision }) => precision),
    recall: meanOf(classes, ({ recall }) => recall),
    F1: meanOf(classes, ({ f1 }) => f1),
    weightedPrecision: weightedOf(classes, ({ precision }) => precision),
    weightedRecall: weightedOf(classes, ({ recall }) => recall),
    weightedF1: weightedOf(classes, ({ f1 }) => f1),
  };
}

/**
 * For pixels, from one confusion matrix over all images. Classes absent on both sides are left out of means. Unlabelled
 * pixels count in the accuracy and, in the last measure, as a class.
 */
export function summarizePixels(confusion: Confusion): Readonly<Record<string, number>> {
  const classes = measuresOfClasses(confusion);
  const withNone = measuresOfClasses(confusion, true);
  const all = total(confusion.map(total));
  return {
    mIoU: meanOf(classes, ({ iou }) => iou),
    pixelAccuracy: all === 0 ? -1 : total(withNone.map(({ hits }) => hits)) / all,
    meanAccuracy: meanOf(
      classes.filter(({ truths }) => truths > 0),
      ({ recall }) => recall,
    ),
    frequencyWeightedIoU: weightedOf(withNone, ({ iou }) => iou),
    Dice: meanOf(classes, ({ f1 }) => f1),
    mIoUWithBackground: meanOf(withNone, ({ iou }) => iou),
  };
}

/**
 * Compares two label maps of an image. Values are label indexes and `labels` means unlabelled. Higher values are
 * ignored in the truth and count as unlabelled in the results.
 */
export function countPixelClasses(truth: Uint16Array, results: Uint16Array, labels: number): number[][] {
  const side = labels + 1;
  const cells = new Float64Array(side * side);
  for (let at = 0; at < truth.length; at += 1) {
    const wanted = truth[at]!;
    if (wanted <= labels) cells[wanted * side + Math.min(results[at]!, labels)]! += 1;
  }
  return Array.from({ length: side }, (_, row) => [...cells.subarray(row * side, (row + 1) * side)]);
}
