interface Notice {
  /** For example `zod 4.6.7`. */
  readonly name: string;
  /** For example `MIT`. */
  readonly license: string;
  readonly text: string;
}

const rule = /^-{20,}$/m;

export function parseNotices(file: string): Notice[] {
  return file
    .split(rule)
    .slice(1)
    .flatMap((part) => {
      const lines = part.trim().split('\n');
      const [name = '', second = ''] = lines;
      const license = /^Licence: (.*)$/.exec(second)?.[1];
      if (name === '' || license === undefined) return [];
      return [{ name, license, text: lines.slice(2).join('\n').trim() }];
    });
}
