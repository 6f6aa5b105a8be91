import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

interface ChatRequest {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content:
      | string
      | readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[];
  }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name?: string; readonly schema?: object };
  };
}

/** A question as the endpoint understood it. */
export interface ChatQuestion {
  readonly schema: object;
  readonly text: string;
  /** Mean color of the image, and its format. */
  readonly image: { readonly format: string; readonly width: number; readonly mean: readonly number[] };
}

interface Reply {
  readonly status?: number;
  readonly content?: string;
  readonly finish_reason?: string;
  readonly refusal?: string;
  readonly body?: string;
  /** Never answers. */
  readonly isSilent?: boolean;
}

/**
 * A chat endpoint in the form of OpenAI, written from its reference and that of llama.cpp's server: images as data
 * URLs, `response_format` with a JSON schema, errors as `{ error: { message } }`.
 */
export async function startChatServer(models: readonly string[] = ['seer-7b.gguf'], key = '') {
  const state = {
    models,
    questions: [] as ChatQuestion[],
    reply: (_question: ChatQuestion): Reply => ({ content: '{"caption":"A plain area."}' }),
    isLoading: false,
  };

  async function understood({ model, messages, response_format: format }: ChatRequest): Promise<ChatQuestion> {
    if (!state.models.includes(model ?? '')) throw new Error(`The model \`${model ?? ''}\` does not exist.`);
    const user = messages?.find(({ role }) => role === 'user')?.content;
    if (!Array.isArray(user)) throw new Error("Missing required parameter: 'messages'.");
    const parts = user as readonly { type: string; text?: string; image_url?: { url: string } }[];
    const url = parts.find(({ type }) => type === 'image_url')?.image_url?.url ?? '';
    const [, type, data] = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+=*)$/.exec(url) ?? [];
    if (data === undefined) throw new Error('Invalid url value.');
    const schema = format?.json_schema?.schema;
    if (format?.type !== 'json_schema' || schema === undefined || format.json_schema?.name === undefined) {
      throw new Error("Missing required parameter: 'response_format.json_schema'.");
    }
    const image = sharp(Buffer.from(data, 'base64'));
    const [{ format: found, width }, { channels }] = await Promise.all([image.metadata(), image.stats()]);
    if (found !== type) throw new Error(`The image is ${found}, not ${type ?? ''}.`);
    const text = parts.map((one) => one.text ?? '').join('');
    return { schema, text, image: { format: found, width, mean: channels.map(({ mean }) => mean) } };
  }

  const server = createServer((request, response) => {
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const failed = (status: number, message: string) => json(status, { error: { message, type: 'server_error' } });
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces).toString('utf8')));

    async function answer(body: string): Promise<unknown> {
      if (key !== '' && request.headers.authorization !== `Bearer ${key}`) return failed(401, 'Invalid API Key');
      if (state.isLoading) return failed(503, 'Loading model');
      if (request.method === 'GET' && request.url === '/v1/models') {
        return json(200, {
          object: 'list',
          data: state.models.map((id) => ({ id, object: 'model', owned_by: 'here' })),
        });
      }
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return failed(404, 'File Not Found');
      try {
        const question = await understood(JSON.parse(body) as ChatRequest);
        state.questions.push(question);
        const {
          status = 200,
          content = '',
          finish_reason = 'stop',
          refusal,
          body: raw,
          isSilent,
        } = state.reply(question);
        if (isSilent) return undefined;
        if (status !== 200) return failed(status, content);
        if (raw !== undefined) return response.writeHead(200).end(raw);
        const message = { role: 'assistant', content, ...(refusal === undefined ? {} : { refusal }) };
        return json(200, { object: 'chat.completion', choices: [{ index: 0, finish_reason, message }] });
      } catch (error) {
        return failed(400, (error as Error).message);
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that does not close it can still end.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
