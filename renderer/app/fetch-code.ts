/** Between one try and the next. */
const pauseMs = 1000;
const mostTries = 5;

/** Stylesheets of screens that did not come: whoever asked for them asks once only. */
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
    again.addEventListener('error', () => reject(new Error(`${link.href} did not come.`)));
    lost.delete(link);
    link.replaceWith(again);
  });

/**
 * A part of the program that is loaded when it is wanted. A request can be lost on this computer, too: a network that
 * comes or goes ends all that are under way. Rejects where it does not come by the last try.
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
