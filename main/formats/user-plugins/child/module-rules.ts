import { builtinModules, isBuiltin, registerHooks } from 'node:module';
import { allowedModules } from './lock-down.ts';

/** What a plug-in imports its decorators from. */
const publicModule = 'limner/formats';
const publicUrl = 'limner:formats';

/**
 * Rules of what the plug-in may import: `limner/formats`, its own files, and harmless parts of Node. Only ES modules
 * are loaded: through a CommonJS module's `module` all of Node would be open.
 */
export function installModuleRules(api: Readonly<Record<string, unknown>>): void {
  const known = new Set(builtinModules);
  const key = Symbol.for(publicUrl);
  Object.defineProperty(globalThis, key, { value: Object.freeze({ ...api }) });
  const names = Object.keys(api).map((name) => `export const ${name} = api.${name};`);
  const source = `const api = globalThis[Symbol.for('${publicUrl}')];\n${names.join('\n')}`;

  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === publicModule) return { url: publicUrl, format: 'module', shortCircuit: true };
      if (isBuiltin(specifier) || known.has(specifier)) {
        if (allowedModules.has(specifier.replace(/^node:/, ''))) return next(specifier, context);
        throw new Error(`A format plug-in cannot import "${specifier}".`);
      }
      const resolved = next(specifier, context);
      if (/^(file|data):/.test(resolved.url)) return resolved;
      throw new Error(`A format plug-in cannot import "${specifier}".`);
    },
    load(url, context, next) {
      if (url === publicUrl) return { format: 'module', source, shortCircuit: true };
      const loaded = next(url, context);
      if (loaded.format?.startsWith('commonjs') || loaded.format === 'addon') {
        throw new Error('A format plug-in is an ES module: it imports and exports, and needs no require().');
      }
      return loaded;
    },
  });
}
