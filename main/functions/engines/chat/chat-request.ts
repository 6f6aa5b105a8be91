import type { ModelAttribute, ModelLabel } from '../../configuration/model-labels.ts';

export interface ChatQuestion {
  readonly model: string;
  /** Text of the user for all questions to the model; '' for none. */
  readonly instructions: string;
  readonly image: Buffer;
  /** Labels of the task whose tags and attributes the model fills in. Without labels, it describes the image. */
  readonly labels: readonly ModelLabel[];
  /** Label of the one object that the image shows, whose attributes the model fills in. */
  readonly object: ModelLabel | null;
}

export type ChatTopic = Pick<ChatQuestion, 'labels' | 'object'>;

/** Field of the answer to a question without labels. */
export const captionField = 'caption';

const longestAnswer = 2048;
const system =
  'You annotate images for a dataset. Look at the image and answer only with JSON that matches the schema. ' +
  'Describe what is visible and nothing else.';

type Schema = Readonly<Record<string, unknown>>;

const objectOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

function valueSchema({ input_type: type, values }: ModelAttribute): Schema {
  switch (type) {
    case 'select':
    case 'radio':
      return { type: 'string', enum: values };
    case 'checkbox':
      return { type: 'boolean' };
    case 'number': {
      const [minimum, maximum] = values.map(Number);
      return { type: 'integer', ...(values.length > 1 ? { minimum, maximum } : {}) };
    }
    case 'text':
      return { type: 'string' };
  }
}

const attributesSchema = ({ attributes }: ModelLabel): Schema =>
  objectOf(Object.fromEntries(attributes.map((one) => [one.name, valueSchema(one)])));

/** For each label whether it applies to the image, and the values of its attributes; for an object, its values. */
function answerSchema({ labels, object }: ChatTopic): Schema {
  if (object !== null) return attributesSchema(object);
  if (labels.length === 0) return objectOf({ [captionField]: { type: 'string' } });
  return objectOf(
    Object.fromEntries(
      labels.map((label) => [
        label.name,
        objectOf({ applies: { type: 'boolean' }, attributes: attributesSchema(label) }),
      ]),
    ),
  );
}

const attributeText = ({ name, input_type: type, values }: ModelAttribute): string =>
  type === 'select' || type === 'radio' ? `${name} (one of: ${values.join(', ')})` : name;

function questionText({ labels, object }: ChatTopic): string {
  if (object !== null) {
    const lines = object.attributes.map((one) => `- ${attributeText(one)}`);
    return `The image shows one object of the label "${object.name}". Fill in its attributes:\n${lines.join('\n')}`;
  }
  if (labels.length === 0) return `Describe the image in one sentence as "${captionField}".`;
  const lines = labels.map(({ name, attributes }) => {
    const all = attributes.map(attributeText);
    return `- "${name}"${all.length === 0 ? '' : `, attributes: ${all.join('; ')}`}`;
  });
  return `Tell for each label whether it applies to the image, and fill in its attributes:\n${lines.join('\n')}`;
}

/** Body of `POST …/chat/completions` in the form of OpenAI, as llama.cpp, Ollama and vLLM take it. */
export function chatBody({ model, instructions, image, ...topic }: ChatQuestion): Buffer {
  const url = `data:${mediaType(image)};base64,${image.toString('base64')}`;
  const text = [questionText(topic), instructions.trim()].filter(Boolean).join('\n\n');
  return Buffer.from(
    JSON.stringify({
      model,
      messages: [
        { role: 'system', content: system },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text },
          ],
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'annotation', strict: true, schema: answerSchema(topic) },
      },
      temperature: 0,
      max_tokens: longestAnswer,
      stream: false,
    }),
  );
}

/** Other formats are converted before the call. */
const mediaType = (image: Buffer): string => (image[0] === 0x89 && image[1] === 0x50 ? 'image/png' : 'image/jpeg');
