import type { Appearance } from '../types.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** An SVG filter in the page that changes each channel by itself: for what CSS has no filter. */
function createTransfer(host: HTMLElement, name: string) {
  const page = host.ownerDocument;
  const id = `${name}-${page.querySelectorAll('filter').length}-${Math.trunc(performance.now())}`;
  const svg = page.createElementNS(namespace, 'svg');
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  svg.style.position = 'absolute';
  const filter = page.createElementNS(namespace, 'filter');
  filter.id = id;
  filter.setAttribute('color-interpolation-filters', 'sRGB');
  const transfer = page.createElementNS(namespace, 'feComponentTransfer');
  const channels = ['feFuncR', 'feFuncG', 'feFuncB'].map((kind) => page.createElementNS(namespace, kind));
  transfer.append(...channels);
  filter.append(transfer);
  svg.append(filter);
  host.append(svg);
  return {
    /** The CSS filter. */
    use(type: 'gamma' | 'table', attribute: string, value: string): string {
      for (const channel of channels) {
        channel.setAttribute('type', type);
        channel.setAttribute(attribute, value);
      }
      return `url(#${id})`;
    },
    remove: () => svg.remove(),
  };
}

/** How the picture is adjusted, as a CSS filter. */
export function createToning(host: HTMLElement) {
  const gammas = createTransfer(host, 'gamma');
  const tables = createTransfer(host, 'table');
  return {
    /**
     * Empty where nothing is adjusted: a filter costs a pass over the whole layer. Above a gamma of 1 dark parts get
     * lighter.
     * @param table what becomes of each of 256 values, from 0 to 1; null: they stay
     */
    filter({ brightness, contrast, saturation, gamma }: Appearance, table: readonly number[] | null): string {
      return [
        table === null ? '' : tables.use('table', 'tableValues', table.map((value) => value.toFixed(4)).join(' ')),
        brightness === 1 ? '' : `brightness(${brightness})`,
        contrast === 1 ? '' : `contrast(${contrast})`,
        saturation === 1 ? '' : `saturate(${saturation})`,
        gamma === 1 ? '' : gammas.use('gamma', 'exponent', String(1 / Math.max(gamma, 0.01))),
      ]
        .filter((part) => part !== '')
        .join(' ');
    },
    /** What of a filter works without the page. */
    withoutPage: (filter: string): string => filter.replaceAll(/url\([^)]*\)/g, '').trim() || 'none',
    remove() {
      gammas.remove();
      tables.remove();
    },
  };
}
