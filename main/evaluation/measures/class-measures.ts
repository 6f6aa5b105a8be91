/**
 * Rows are truths, columns results. The last column counts missed truths, the last row extra results. The unit is
 * images, objects or pixels.
 */
type Confusion = readonly (readonly number[])[];

export const emptyTable = (side: number): number[][] =>
  Array.from({ length: side }, () => Array.from({ length: side }, () => 0));

type ClassMeasures = ReturnType<typeof measuresOfClasses>[number];

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const columnOf = (confusion: Confusion, column: number): number =>
  confusion.reduce((sum, row) => sum + (row[column] ?? 0), 0);

/**
 * Measures per class; `none` adds a class for unlabelled items. 0 for a division by zero (scikit-learn's
 * `zero_division=0`); −1 if the class does not occur.
 */
export function measuresOfClasses(confusion: Confusion, isWithNone = false) {
  return Array.from({ length: confusion.length - (isWithNone ? 0 : 1) }, (_, label) => {
    const truths = total(confusion[label] ?? []);
    const results = columnOf(confusion, label);
    const hits = confusion[label]?.[label] ?? 0;
    const either = truths + results - hits;
    if (either === 0) return { truths, results, hits, precision: -1, recall: -1, f1: -1, iou: -1 };
    return {
      truths,
      results,
      hits,
      precision: share(hits, results),
      recall: share(hits, truths),
      f1: share(2 * hits, truths + results),
      /** Pixels: intersection over union. */
      iou: hits / either,
    };
  });
}

/** Mean over the classes that occur; −1 if there are none. */
function meanOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const known = classes.filter(({ truths, results }) => truths + results > 0);
  return known.length === 0 ? -1 : total(known.map(of)) / known.length;
}

function weightedOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const truths = total(classes.map((one) => one.truths));
  return truths === 0 ? -1 : total(classes.map((one) => one.truths * Math.max(0, of(one)))) / truths;
}

/** Cohen's kappa: agreement beyond chance; −1 without data. */
function kappaOf(confusion: Confusion): number {
  const all = total(confusion.map(total));
  if (all === 0) return -1;
  const same = total(confusion.map((row, label) => row[label] ?? 0)) / all;
  const chance = total(confusion.map((row, label) => total(row) * columnOf(confusion, label))) / all ** 2;
  // If both sides contain one class only, agreement by chance is 1 as well, so the quotient is undefined.
  return chance === 1 ? 1 : (same - chance) / (1 - chance);
}

/** For image labels. Macro is the mean over classes; weighted uses the number of truths as weights. */
export function summarizeClasses(confusion: Confusion): Readonly<Record<string, number>> {
  const classes = measuresOfClasses(confusion);
  const all = total(confusion.map(total));
  const supported = classes.filter(({ truths }) => truths > 0);
  return {
    accuracy: all === 0 ? -1 : total(classes.map(({ hits }) => hits)) / all,
    balancedAccuracy: meanOf(supported, ({ recall }) => recall),
    kappa: kappaOf(confusion),
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
