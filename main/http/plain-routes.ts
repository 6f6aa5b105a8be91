import { join } from 'node:path';
import type { SignIn } from '../people/sign-in.ts';
import type { Core } from '../core.ts';
import { annotationNewsRoute } from './annotation-news-route.ts';
import { agentQueueRoute } from './agent-queue-route.ts';
import { assetRoutes } from './asset-routes.ts';
import { detectRoute } from './detect-route.ts';
import { launchRoute } from './launch-route.ts';
import { mediaRoutes } from './media-routes.ts';
import { modelRoutes } from './model-routes.ts';
import type { PlainRoute } from './route.ts';
import { reportRoute } from './report-route.ts';
import { rulesRoute } from './rules-route.ts';
import { schemaRoutes } from './schema-routes.ts';
import { transferRoutes } from './transfer-routes.ts';
import type { UploadStore } from './uploads/upload-store.ts';

interface Dependencies {
  readonly core: Core;
  readonly signIn: SignIn;
  readonly uploads: UploadStore;
  readonly uploadDirectory: string;
}

/** Every route beside the table of operations: large or binary things, and the pages that describe the service. */
export function createPlainRoutes({ core, signIn, uploads, uploadDirectory }: Dependencies): PlainRoute[] {
  const routes = [
    ...mediaRoutes(core),
    ...modelRoutes(core),
    ...transferRoutes(core, uploads),
    ...assetRoutes(core, uploadDirectory),
    detectRoute(core.formats, uploads, join(uploadDirectory, 'claimed')),
    annotationNewsRoute(core.listening),
    agentQueueRoute(core.functions.native),
    reportRoute(core),
    rulesRoute(),
    launchRoute(signIn.sessions, signIn.launchTokens),
  ];
  return [...routes, ...schemaRoutes(routes)];
}
