import { factsOfForm, type Form } from './form-judge.ts';
import { recognise } from '../../../main/model-files/recognise/recognise.ts';

const use = (form: Form): string => {
  const { readings } = recognise(factsOfForm(form));
  if (readings.length === 0) return 'refused';
  if (readings.length > 1) return 'used after a choice between readings';
  const [only] = readings;
  if (only?.needs === 'decoder') return 'used with its decoder';
  if (only?.needs === 'encoder') return 'used with its encoder';
  if (only?.result === 'text-prompt' && only.description !== null) return 'used with its tokenizer';
  if (only?.needs === 'detector') return 'used with its detector';
  return only?.description === null ? `recognized only: ${only.missing ?? ''}` : 'used';
};

const nameOf = ({ id, family }: Form): string =>
  /^(the same|its)\b/.test(family)
    ? `\`${id}\``
    : `${family.replaceAll('picture', 'image').replace('of its own repository', 'of ultralytics/yolov5')} (\`${id}\`)`;

/** One row per export form: its family, its result and how Limner uses it. */
export const formsTable = (forms: readonly Form[]): string =>
  [
    '| Export form | Result | Use |',
    '|---|---|---|',
    ...forms.map((form) => `| ${nameOf(form)} | ${form.reading.kind.replaceAll('picture', 'image')} | ${use(form)} |`),
  ].join('\n');
