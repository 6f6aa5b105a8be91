// Electron 22 as the shell expects it. Later versions put the address of a navigation into the event.
const electron = require('electron');
electron.app.on('web-contents-created', (_event, contents) => {
  for (const name of ['will-navigate', 'will-redirect'])
    contents.prependListener(name, (event, url) => {
      event.url ??= url;
    });
});
module.exports = electron;
