import { AppError } from '../../platform/errors.ts';
import { readXml, type XmlAttributes } from './xml-reader.ts';

export interface XmlNode {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly line: number;
  readonly children: XmlNode[];
  text: string;
}

/** More nodes, or text, than one object of an annotation file ever has. */
const maxNodes = 200_000;
const maxText = 16 * 1024 * 1024;

/**
 * Reads XML whose root has many small children: calls `onChild` with every child of the root when it closes. Fails like
 * `readXml`. An exception of `onChild` stops reading and is rethrown.
 */
export async function readXmlChildren(
  input: AsyncIterable<Uint8Array>,
  onRoot: (name: string) => void,
  onChild: (child: XmlNode) => void,
): Promise<void> {
  const open: XmlNode[] = [];
  let nodes = 0;
  let textLength = 0;
  const refuse = (line: number): never => {
    throw new AppError('invalid', `Cannot read the XML at line ${line}: an element is larger than any object can be.`);
  };
  await readXml(input, {
    open(name, attributes, { line, depth }) {
      if (depth === 1) return onRoot(name);
      if (depth === 2) {
        nodes = 0;
        textLength = 0;
      }
      nodes += 1;
      if (nodes > maxNodes) refuse(line);
      const node: XmlNode = { name, attributes, line, children: [], text: '' };
      open.at(-1)?.children.push(node);
      open.push(node);
      return undefined;
    },
    text(text, { line }) {
      const node = open.at(-1);
      if (!node) return;
      textLength += text.length;
      if (textLength > maxText) refuse(line);
      node.text += text;
    },
    close(_name, { depth }) {
      const node = open.pop();
      if (node && depth === 2) onChild(node);
    },
  });
}

export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((child) => child.name === name);
}

/** Trimmed text of a child; undefined if there is no such child. */
export function textOf(node: XmlNode, name: string): string | undefined {
  return childOf(node, name)?.text.trim();
}
