// A window whose first files did not come is empty or bare, and stays so: it is loaded again. A request can be lost on
// this computer, too: a network that comes or goes ends all that are under way.
(() => {
  const key = 'limner.started-again';
  const restMs = 10_000;
  const soonMs = 300;
  addEventListener(
    'error',
    ({ target }) => {
      const isNeeded =
        target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
      // Once the program runs, it sees to its parts itself.
      if (!isNeeded || document.getElementById('root')?.hasChildNodes()) return;
      const last = Number(sessionStorage.getItem(key) ?? 0);
      const wait = Math.max(soonMs, last + restMs - Date.now());
      setTimeout(() => {
        sessionStorage.setItem(key, String(Date.now()));
        location.reload();
      }, wait);
    },
    true,
  );
})();
