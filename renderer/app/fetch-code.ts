const pauseMs = 1000;
const mostTries = 5;

/** Stylesheets that failed to load, because the browser requests each only once. */
const lost = new Set<HTMLLinkElement>();
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target);
  },
  true,
);

const fetchStyle = (link: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.addEventListener('load', () => resolve());
    again.addEventListener('error', () => reject(new Error(`Cannot load ${link.href}.`)));
    lost.delete(link);
    link.replaceWith(again);
  });

/**
 * Loads a part of the program on demand. Even local requests can fail, because a network change ends all that are
 * pending. Rejects after the last attempt.
 */
export async function fetchCode<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let left = mostTries; ; left -= 1) {
    try {
      await Promise.all([...lost].map(fetchStyle));
      return await load();
    } catch (error) {
      if (left === 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
