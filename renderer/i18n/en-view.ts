/** Texts of how picture, shapes and panels are shown. */
export const view = {
  view: {
    colorBy: { label: 'Label', instance: 'Object', group: 'Group', track: 'Track' },
    palette: 'Colours',
    palettes: { labels: 'Of the labels', safe: 'Colour-blind-safe' },
    halo: 'Dark edge of outlines',
    texts: 'Names tell',
    text: { id: 'Number', label: 'Label', attributes: 'Attributes', score: 'Score', source: 'Source' },
    minimap: 'Small map',
    minimapName: 'Small map: the whole picture, and what is seen of it',
    gridSize: 'Grid, pixels',
    histogram: 'Brightness of the picture as it is shown: from dark on the left to light on the right',
    equalize: 'Equalize the histogram',
    resize: 'Width of the panel',
    toggle: 'Panel of objects on or off',
    savePng: 'Save the picture with its shapes as PNG',
    saveSvg: 'Save the picture with its shapes as SVG',
    saved: 'The picture was saved as {{name}}.',
    saveFailed: 'The picture was not saved',
    saveFailedText: '{{reason}} Nothing else changed; try again, or make the browser’s window smaller first.',
    noPicture: 'There is no picture on this frame yet.',
  },
};
