/** The `sudo` commands that a message about the Engine contains. */
export const commandsIn = (message: string): string[] =>
  [...message.matchAll(/\bsudo (?:[\w"$ /-]|\.(?=\w))+/g)].map(([command]) => command.trim());
