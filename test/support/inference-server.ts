import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InferenceSession, Tensor } from 'onnxruntime-node';

interface ProtocolTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data?: readonly number[];
  readonly parameters?: { readonly binary_data_size?: number };
}

/**
 * A server of the Open Inference Protocol over HTTP, written from its specification, for one model with 32-bit floats.
 * `isBinary`: it has the extension for binary tensors; otherwise it refuses them.
 */
export async function startInferenceServer(name: string, model: Buffer, isBinary: boolean) {
  const session = await InferenceSession.create(model);
  const state = { isReady: true, requests: [] as string[] };
  const described = (all: readonly InferenceSession.ValueMetadata[]) =>
    all.flatMap((one) =>
      one.isTensor
        ? [
            {
              name: one.name,
              datatype: 'FP32',
              shape: one.shape.map((side) => (typeof side === 'number' ? side : -1)),
            },
          ]
        : [],
    );

  async function infer(body: Buffer, headerLength: string | undefined) {
    let offset = headerLength === undefined ? body.length : Number(headerLength);
    if (headerLength !== undefined && !isBinary) throw new Error('binary tensors are not supported');
    const { inputs } = JSON.parse(body.toString('utf8', 0, offset)) as { inputs: readonly ProtocolTensor[] };
    const feeds = inputs.map(({ name: input, shape, datatype, data, parameters }) => {
      if (datatype !== 'FP32') throw new Error(`unexpected datatype ${datatype}, expecting FP32`);
      const size = parameters?.binary_data_size ?? 0;
      const values =
        data === undefined
          ? new Float32Array(new Uint8Array(body.subarray(offset, offset + size)).buffer)
          : Float32Array.from(data);
      offset += size;
      return [input, new Tensor('float32', values, [...shape])] as const;
    });
    const found = Object.entries(await session.run(Object.fromEntries(feeds)));
    const pieces = found.map(([, { data }]) => {
      const { buffer, byteOffset, byteLength } = data as Float32Array;
      return Buffer.from(buffer, byteOffset, byteLength);
    });
    const outputs = found.map(([output, { dims, data }], index) => ({
      name: output,
      shape: dims,
      datatype: 'FP32',
      ...(isBinary
        ? { parameters: { binary_data_size: pieces[index]?.length } }
        : { data: [...(data as Float32Array)] }),
    }));
    return { header: { model_name: name, outputs }, pieces: isBinary ? pieces : [] };
  }

  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    state.requests.push(`${method} ${url}`);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces)));
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    async function answer(body: Buffer) {
      const extensions = isBinary ? ['binary_tensor_data'] : [];
      if (url === '/v2/health/ready') return response.writeHead(state.isReady ? 200 : 503).end();
      if (url === `/v2/models/${name}/ready`) return response.writeHead(state.isReady ? 200 : 400).end();
      if (url === '/v2') return json(200, { name: 'stand-in', version: '1', extensions });
      if (url === `/v2/models/${name}`) {
        const [inputs, outputs] = [described(session.inputMetadata), described(session.outputMetadata)];
        return json(200, { name, platform: 'onnxruntime_onnx', versions: ['1'], inputs, outputs });
      }
      if (url !== `/v2/models/${name}/infer`) return json(404, { error: `Request for unknown model: '${url}'` });
      try {
        const { header, pieces: data } = await infer(
          body,
          request.headers['inference-header-content-length'] as string | undefined,
        );
        if (!isBinary) return json(200, header);
        const text = Buffer.from(JSON.stringify(header));
        response.writeHead(200, {
          'Content-Type': 'application/octet-stream',
          'Inference-Header-Content-Length': String(text.length),
        });
        return response.end(Buffer.concat([text, ...data]));
      } catch (error) {
        return json(400, { error: String((error as Error).message) });
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that does not close it can still end.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://127.0.0.1:${port}`,
    model: `http://127.0.0.1:${port}/v2/models/${name}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
