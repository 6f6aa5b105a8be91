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
  getNativeFunction: operation.get('/api/functions/{id}', 'One native function', {
    output: native.nativeFunctionSchema,
  }),
  deleteNativeFunction: operation.delete('/api/functions/{id}', 'Delete a native function; its agents end', {}),
  acquireAgentRequest: operation.post(
    '/api/functions/queues/{queue_id}/requests/acquire',
    'The oldest request of a category for an agent, which has it for two minutes',
    { status: 200, params: native.queueParams, body: native.acquireSchema, output: native.acquiredSchema },
  ),
  updateAgentRequest: operation.post(`${requestPath}/update`, 'An agent is still at a request, for two more minutes', {
    status: 200,
    params: native.agentRequestParams,
    body: native.agentUpdateSchema,
    output: z.object({}),
  }),
  completeAgentRequest: operation.post(`${requestPath}/complete`, 'What an agent found', {
    status: 200,
    params: native.agentRequestParams,
    body: native.agentResultSchema,
    output: z.object({}),
  }),
  failAgentRequest: operation.post(`${requestPath}/fail`, 'Why an agent found nothing', {
    status: 200,
    params: native.agentRequestParams,
    body: native.agentFailSchema,
    output: z.object({}),
  }),
} as const;
