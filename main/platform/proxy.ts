const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

/** Excludes this computer from the proxy, which Node uses if NODE_USE_ENV_PROXY is set. */
export function keepLoopbackDirect(env: NodeJS.ProcessEnv): void {
  if (proxyVariables.every((name) => !env[name])) return;
  const name = env['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  env[name] = [env[name], ...loopbackHosts].filter(Boolean).join(',');
}
