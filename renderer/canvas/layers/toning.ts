import type { Appearance } from '../types.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** An SVG filter that maps each channel separately, which CSS cannot do. */
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

export function createToning(host: HTMLElement) {
  const gammas = createTransfer(host, 'gamma');
  const tables = createTransfer(host, 'table');
  return {
    /**
     * Empty without adjustments, because a filter costs a pass over the complete layer. A gamma above 1 brightens dark
     * parts.
     * @param table maps each of 256 values to 0–1; null keeps them
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
    /** Part of a filter that works outside the DOM. */
    withoutPage: (filter: string): string => filter.replaceAll(/url\([^)]*\)/g, '').trim() || 'none',
    remove() {
      gammas.remove();
      tables.remove();
    },
  };
}
