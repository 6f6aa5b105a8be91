/** Common names of dataset subsets. */
export const isUsualSubset = (name: string): boolean =>
  /^(?:train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|trainval)(?:\d{4})?$/i.test(name);

/** Subset in the name of an annotation file such as `train.xml`, `images_train.xml` or `annotations-val.json`. */
export function subsetOfFileName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const last = /[^_.-]*$/.exec(name)?.[0] ?? '';
  return isUsualSubset(last) ? last : undefined;
}
