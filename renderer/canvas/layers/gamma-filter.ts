const namespace = 'http://www.w3.org/2000/svg';

/** CSS has no gamma: an SVG filter in the page stands in. */
export function createGammaFilter(host: HTMLElement) {
  const page = host.ownerDocument;
  const id = `gamma-${page.querySelectorAll('filter').length}-${Math.trunc(performance.now())}`;
  const svg = page.createElementNS(namespace, 'svg');
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  svg.style.position = 'absolute';
  const filter = page.createElementNS(namespace, 'filter');
  filter.id = id;
  filter.setAttribute('color-interpolation-filters', 'sRGB');
  const transfer = page.createElementNS(namespace, 'feComponentTransfer');
  const channels = ['feFuncR', 'feFuncG', 'feFuncB'].map((name) => {
    const channel = page.createElementNS(namespace, name);
    channel.setAttribute('type', 'gamma');
    transfer.append(channel);
    return channel;
  });
  filter.append(transfer);
  svg.append(filter);
  host.append(svg);
  return {
    /** The CSS filter for a gamma; empty for 1. Above 1 dark parts get lighter. */
    use(gamma: number): string {
      if (gamma === 1) return '';
      for (const channel of channels) channel.setAttribute('exponent', String(1 / Math.max(gamma, 0.01)));
      return `url(#${id})`;
    },
    remove: () => svg.remove(),
  };
}
