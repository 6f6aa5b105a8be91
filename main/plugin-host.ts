import { runPlugin } from './formats/user-plugins/child/run-plugin.ts';

/** Entry of the processes that run the user's format plug-ins: see formats/user-plugins/plugin-process.ts. */
await runPlugin();
