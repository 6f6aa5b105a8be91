// Electron 22 has no webUtils: a file has its path.
const { contextBridge, ipcRenderer, webFrame } = require('electron');
// The page needs methods that Chromium 108 lacks.
void webFrame.executeJavaScript(require('limner:newer-methods'));
module.exports = { contextBridge, ipcRenderer, webUtils: { getPathForFile: ({ path }) => path ?? '' } };
