/**
 * Rows are truths, columns results; the last column counts truths for which there is no result, the last row results
 * for which there is no truth. What is counted may be pictures, objects or pixels.
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
 * Each class by itself; with `none`, what is no class of the list is measured as one more. 0 where there is nothing to
 * divide by, as scikit-learn is told to have it; −1 where the class is nowhere.
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
      /** Of pixels: what both say, of what either says. */
      iou: hits / either,
    };
  });
}

/** Over the classes for which there is something; −1: for none. */
function meanOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const known = classes.filter(({ truths, results }) => truths + results > 0);
  return known.length === 0 ? -1 : total(known.map(of)) / known.length;
}

function weightedOf(classes: readonly ClassMeasures[], of: (one: ClassMeasures) => number): number {
  const truths = total(classes.map((one) => one.truths));
  return truths === 0 ? -1 : total(classes.map((one) => one.truths * Math.max(0, of(one)))) / truths;
}

/** What two raters agree on beyond chance (Cohen); −1: there is nothing. */
function kappaOf(confusion: Confusion): number {
  const all = total(confusion.map(total));
  if (all === 0) return -1;
  const same = total(confusion.map((row, label) => row[label] ?? 0)) / all;
  const chance = total(confusion.map((row, label) => total(row) * columnOf(confusion, label))) / all ** 2;
  // Nothing but one class on both sides: they agree wholly, and chance would as well.
  return chance === 1 ? 1 : (same - chance) / (1 - chance);
}

/** Of labels of whole pictures. Macro is the mean of the classes, weighted that by the number of truths. */
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
 * Of pixels, from one table over all pictures. A class that neither side has is left out of means. Pixels of no class
 * count in the accuracy, and as a class of their own in the last measure.
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
 * Compares two label maps of one picture. Values are places of labels; `labels` stands for no label, and what is above
 * is left out where the truth has it, and is no label where the results have it.
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
