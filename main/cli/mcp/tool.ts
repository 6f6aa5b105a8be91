import type { z } from 'zod';
import type { ApiClient } from '../api-client.ts';
import type { CliContext } from '../context.ts';
import { usage } from '../exit-codes.ts';

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** Further input of a tool. */
export interface ToolContext extends Pick<CliContext, 'errorOutput' | 'stopSignal'> {
  readonly cli: CliContext;
  /** Name by which the connected program introduced itself. Names its suggestions. */
  readonly program: string;
}

export interface Tool {
  readonly name: string;
  readonly about: string;
  /** True if it creates something; offered with `--write` only. */
  readonly writes: boolean;
  readonly input: z.ZodObject;
  readonly run: (client: ApiClient, input: never, context: ToolContext) => Promise<readonly Content[]>;
}

/** Declares a tool with the types of its input. */
export const tool = <Input extends z.ZodObject>(
  described: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    readonly run: (client: ApiClient, input: z.output<Input>, context: ToolContext) => Promise<readonly Content[]>;
  },
): Tool => described as Tool;

/** Largest answer in characters. A program reads it into its context, so a larger one is of no use. */
const longestAnswer = 200_000;

/** @throws CommandError if the answer is too large */
export function jsonAnswer(value: unknown): Content[] {
  const text = JSON.stringify(value ?? null);
  if (text.length <= longestAnswer) return [{ type: 'text', text }];
  throw usage(
    `The answer has ${text.length} characters, more than the limit of ${longestAnswer}. Ask for fewer frames or a page.`,
  );
}
