import { createHash } from 'node:crypto';

const domain = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d{1,5})?\/)?`;
const component = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const tag = String.raw`(?::[\w][\w.-]{0,127})?`;
const digest = String.raw`(?:@sha256:[0-9a-f]{64})?`;
const reference = new RegExp(`^${domain}${component}(?:\\/${component})*${tag}${digest}$`);

const part = new RegExp(`^${component}$`);

const maxLength = 255;

/** Whether a text names an image, as the Engine understands names. Anything else could reach its commands as options. */
export function isImageReference(text: string): boolean {
  return text.length <= maxLength && (reference.test(text) || /^sha256:[0-9a-f]{64}$/.test(text));
}

/** With the tag that the Engine takes where none is named. */
export function taggedReference(text: string): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return name.includes(':') || name.includes('@') || text.startsWith('sha256:') ? text : `${text}:latest`;
}

/** The name of a function as a part of an image's name: no two functions have the same one. */
export function imagePart(functionName: string): string {
  if (part.test(functionName)) return functionName;
  const digest = createHash('sha256').update(functionName).digest('hex').slice(0, 12);
  return `${functionName.replaceAll(/[._-]+/g, '-')}-${digest}`;
}
