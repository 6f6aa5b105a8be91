// Sets the theme before the first paint, so that a dark window does not flash white. The key is the one that the
// theme switch writes.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('limner.color-scheme');
  } catch {
    chosen = null;
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
