/** Names that tools give the parts of a data set. */
export const isUsualSubset = (name: string): boolean =>
  /^(?:train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|trainval)(?:\d{4})?$/i.test(name);

/** The subset that an annotation file is called by: `train.xml`, `images_train.xml` and `annotations-val.json` have one. */
export function subsetOfFileName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const last = /[^_.-]*$/.exec(name)?.[0] ?? '';
  return isUsualSubset(last) ? last : undefined;
}
