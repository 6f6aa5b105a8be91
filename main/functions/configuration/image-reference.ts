import { createHash } from 'node:crypto';

const domain = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d{1,5})?\/)?`;
const component = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const tag = String.raw`(?::[\w][\w.-]{0,127})?`;
const digest = String.raw`(?:@sha256:[0-9a-f]{64})?`;
const reference = new RegExp(`^${domain}${component}(?:\\/${component})*${tag}${digest}$`);

const part = new RegExp(`^${component}$`);

const maxLength = 255;

/** True if Docker accepts the text as an image name. Other texts could be read as options of its commands. */
export function isImageReference(text: string): boolean {
  return text.length <= maxLength && (reference.test(text) || /^sha256:[0-9a-f]{64}$/.test(text));
}

/** Adds Docker's default tag `latest` if the reference has none. */
export function taggedReference(text: string): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return name.includes(':') || name.includes('@') || text.startsWith('sha256:') ? text : `${text}:latest`;
}

/** Function name as a part of an image name, unique for each function. */
export function imagePart(functionName: string): string {
  if (part.test(functionName)) return functionName;
  const digest = createHash('sha256').update(functionName).digest('hex').slice(0, 12);
  return `${functionName.replaceAll(/[._-]+/g, '-')}-${digest}`;
}
