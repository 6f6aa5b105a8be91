import { z } from 'zod';
import { operation } from '../operation.ts';
import * as native from '../schema/native-functions.ts';

const requestPath = '/api/functions/queues/{queue_id}/requests/{request_id}';

/** Native functions of cvat-cli and requests of its agents: paths, fields and status codes are CVAT's. */
export const nativeOperations = {
  createNativeFunction: operation.post('/api/functions', 'Add a native function, which agents of cvat-cli run', {
    body: native.nativeFunctionWriteSchema,
    output: native.nativeFunctionSchema,
  }),
  getNativeFunction: operation.get('/api/functions/{id}', 'Native function', {
    output: native.nativeFunctionSchema,
  }),
  deleteNativeFunction: operation.delete('/api/functions/{id}', 'Delete a native function and stop its agents', {}),
  acquireAgentRequest: operation.post(
    '/api/functions/queues/{queue_id}/requests/acquire',
    'Acquire the oldest request of a category for two minutes, as an agent',
    { status: 200, params: native.queueParams, body: native.acquireSchema, output: native.acquiredSchema },
  ),
  updateAgentRequest: operation.post(
    `${requestPath}/update`,
    'Extend the time of a request by two minutes, as an agent',
    {
      status: 200,
      params: native.agentRequestParams,
      body: native.agentUpdateSchema,
      output: z.object({}),
    },
  ),
  completeAgentRequest: operation.post(`${requestPath}/complete`, 'Send the result of a request, as an agent', {
    status: 200,
    params: native.agentRequestParams,
    body: native.agentResultSchema,
    output: z.object({}),
  }),
  failAgentRequest: operation.post(`${requestPath}/fail`, 'Report the failure of a request, as an agent', {
    status: 200,
    params: native.agentRequestParams,
    body: native.agentFailSchema,
    output: z.object({}),
  }),
} as const;
