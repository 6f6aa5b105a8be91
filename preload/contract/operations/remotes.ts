import { z } from 'zod';
import { operation } from '../operation.ts';
import { rqIdSchema } from '../schema/common.ts';
import * as remotes from '../schema/remotes.ts';

const server = '/api/limner/remotes/{id}';
const job = '/api/limner/remote-jobs/{id}';

/** Limner extension: CVAT servers of a user, and jobs that follow a job of such a server. */
export const remoteOperations = {
  listRemoteServers: operation.get('/api/limner/remotes', 'Your CVAT servers', {
    output: remotes.remoteServersSchema,
  }),
  createRemoteServer: operation.post('/api/limner/remotes', 'Connect a CVAT server', {
    body: remotes.remoteServerWriteSchema,
    output: remotes.remoteServerSchema,
  }),
  updateRemoteServer: operation.patch(server, 'Change the connection of a CVAT server', {
    body: remotes.remoteServerPatchSchema,
    output: remotes.remoteServerSchema,
  }),
  deleteRemoteServer: operation.delete(server, 'Disconnect a CVAT server; local tasks stay'),
  checkRemoteServer: operation.post(`${server}/check`, 'Check the version and the access token of a CVAT server', {
    status: 200,
    output: remotes.remoteServerSchema,
  }),
  browseRemoteServer: operation.get(`${server}/items`, 'Organizations, projects, tasks or jobs of a CVAT server', {
    query: remotes.remoteItemsQuerySchema,
    output: remotes.remoteItemsSchema,
  }),
  checkOutRemote: operation.post(`${server}/checkouts`, 'Check out a job, or the jobs of a task or project', {
    status: 202,
    body: remotes.remoteCheckoutWriteSchema,
    output: rqIdSchema,
  }),
  publishToRemote: operation.post(`${server}/publications`, 'Publish a local task or project on a CVAT server', {
    status: 202,
    body: remotes.remotePublicationWriteSchema,
    output: rqIdSchema,
  }),
  listRemoteJobs: operation.get('/api/limner/remote-jobs', 'Jobs that follow a job of a CVAT server', {
    query: remotes.remoteJobsQuerySchema,
    output: remotes.remoteJobsSchema,
  }),
  compareRemoteJob: operation.get(`${job}/comparison`, 'Changes on both ends since the last exchange', {
    output: remotes.remoteComparisonSchema,
  }),
  pullRemoteJob: operation.post(`${job}/pull`, 'Apply the changes of the server to the local job', {
    status: 202,
    body: remotes.remotePullWriteSchema,
    output: rqIdSchema,
  }),
  pushRemoteJob: operation.post(`${job}/push`, 'Send the local changes to the server', {
    status: 202,
    body: remotes.remotePushWriteSchema,
    output: rqIdSchema,
  }),
  getRemoteResult: operation.get(
    '/api/limner/remote-results/{id}',
    'Result of a pull or push, by the id of its request',
    {
      params: z.object({ id: z.string() }),
      output: remotes.remoteResultSchema,
    },
  ),
  deleteRemoteJob: operation.delete(job, 'Stop following a job of a CVAT server; both ends stay unchanged'),
} as const;
