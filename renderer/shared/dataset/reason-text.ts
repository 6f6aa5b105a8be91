import en from '../../i18n/en.json' with { type: 'json' };
import type { TextFunction } from '../../i18n/index.ts';

const { sentences, things } = en.reasons;
const { shape: shown } = en.annotate;
type Sentence = keyof typeof sentences;
type Thing = keyof typeof things;

interface Reason {
  readonly sentence: Sentence;
  readonly values: Readonly<Record<string, string>>;
  /** The object kind or property named in the reason. */
  readonly thing?: Thing;
}

const placeHolder = /\{\{(\w+)\}\}/;

/** Each sentence as a pattern with the names of its placeholders. */
const patterns = Object.entries(sentences).map(([sentence, text]) => {
  // Every other part is the name of a placeholder.
  const parts = text.split(placeHolder);
  const source = parts
    .map((part, index) => (index % 2 === 1 ? '(.+?)' : part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')))
    .join('');
  return {
    // `Object.entries` loses the type of keys.
    sentence: sentence as Sentence,
    names: parts.filter((_part, index) => index % 2 === 1),
    pattern: new RegExp(`^${source}$`, 's'),
  };
});

const isThing = (text: string): text is Thing => Object.hasOwn(things, text);
/** A sentence may name an object kind, such as `cuboid`. */
const thingOf = (text: string): Thing | undefined => [text, `${text}s`].find(isThing);

/** Known sentence of a format's reason; null for other texts. */
export function knownReason(rule: string): Reason | null {
  for (const { sentence, names, pattern } of patterns) {
    const found = pattern.exec(rule);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    const { what } = values;
    if (what === undefined) return { sentence, values };
    const thing = thingOf(what);
    if (thing) return { sentence, values, thing };
  }
  return null;
}

/** A format's reason in the user's language; untranslated reasons stay unchanged. */
export function reasonText(t: TextFunction, rule: string): string {
  const reason = knownReason(rule);
  if (!reason) return rule;
  const { sentence, values, thing } = reason;
  // The placeholders come from the sentence's pattern, which types cannot express.
  const say = t as unknown as (key: string, given: Reason['values']) => string;
  const what = thing === undefined ? {} : { what: t(`reasons.things.${thing}`) };
  return say(`reasons.sentences.${sentence}`, { ...values, ...what });
}

const { types } = en.reasons;
const isOwnType = (type: string): type is keyof typeof types => Object.hasOwn(types, type);
const isShown = (type: string): type is keyof typeof shown => Object.hasOwn(shown, type);

export function typeText(t: TextFunction, type: string): string {
  if (isOwnType(type)) return t(`reasons.types.${type}`);
  return isShown(type) ? t(`annotate.shape.${type}`) : type;
}
