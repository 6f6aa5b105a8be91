import { runPlugin } from './formats/user-plugins/child/run-plugin.ts';

/** Entry of the processes that run format plug-ins of the person: see formats/user-plugins/plugin-process.ts. */
await runPlugin();
