import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Moves the inline scripts of built pages into files. The service's Content-Security-Policy allows scripts from files
 * only. Equal scripts share a file; its name carries a digest of its content.
 */
export function externalScripts(base: string) {
  const scripts = new Map<string, string>();
  return {
    move: (html: string): string =>
      html.replaceAll(/<script((?:(?!\ssrc=)[^>])*)>([\s\S]+?)<\/script>/g, (_, attributes: string, code: string) => {
        const name = `assets/inline-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
        scripts.set(name, code);
        return `<script${attributes} src="${base}${name}"></script>`;
      }),
    write(directory: string): void {
      mkdirSync(join(directory, 'assets'), { recursive: true });
      for (const [name, code] of scripts) writeFileSync(join(directory, name), code);
    },
  };
}
