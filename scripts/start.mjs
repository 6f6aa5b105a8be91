// `npm start`: the command `limner open`.
process.argv.splice(2, 0, 'open');
await import('./limner.mjs');
