import { parseOptions, type BenchOptions } from './support/options.ts';

/** One file per bench, loaded only when it runs, so that a missing dependency of one does not break the others. */
const benches: Readonly<Record<string, string>> = {
  startup: 'from the start of the process to a ready server and a complete window (--part service|window)',
  open: 'a folder of 10,000 and 100,000 images to its first image, read before and listed (--scale 0.1: a tenth)',
  edit: 'from an edit to its answer, which comes when it is on disk',
  read: 'annotations of a frame',
  api: 'annotations of a frame read and written beside a bare route; the same in a project of 5,000 tasks',
  media:
    'a task of 10,000 photos beside plainly written files (--part upload); 10,000 added to 100,000 beside a new task (--part add)',
  coco: 'import and export of a COCO file of 118,287 images and 900,000 annotations (--scale 0.1: a tenth)',
  formats:
    'formats beside pycocotools, datumaro, saxes and Python (--part coco|cvat|upload|zip|points; needs Python 3.11)',
  images: 'memory and the answers to others while large and lying pictures are shown (--scale 0.1: a tenth)',
  webhooks: 'deliveries each second, and what an event adds to the request that caused it',
  window:
    'what the thread of the window loses while the service imports and prepares (xvfb-run -a: also in Electron 22)',
  functions: 'model functions in containers: deployment, calls, calls each second (needs a Docker Engine)',
  interactor: 'from a click to its mask, by a decoder of the size of Segment Anything, beside the decoder alone',
  models: 'an ONNX detector from its file to its first boxes; a call beside onnxruntime-node alone',
  video: 'a 1080p video of ten minutes in the window beside <video> (--scale 0.1: a minute; needs ffmpeg, Chromium)',
  tracks:
    'a video of 10,000 frames with 500 and 10,000 tracks: steps, keyframes, the timeline (needs ffmpeg, Chromium)',
  canvas: 'hover, drag, pan and zoom with 5,000 shapes (--scale 0.1: a tenth; --part own: without others)',
  pictures:
    'steps among photos of 12 megapixels; pictures of 108 and 300 opened and looked at; --part memory: a walk of a minute (--long: an hour; needs Chromium)',
  evaluation: "COCO's measures of 500,000 results beside pycocotools (--scale 0.1: a tenth; needs Python 3.11)",
  backup: 'a workbench of 10,000 images and 1,000,000 shapes backed up, wiped, restored, compared (needs ffmpeg)',
  growth: 'how the cost of each operation grows, and how long others wait (--part NAMES; --long: a million objects)',
  peers: 'beside labelme, X-AnyLabeling, labelImg and Label Studio on one screen (needs Xvfb, Chromium, Python 3.13)',
  analytics: 'the numbers of the page from 5,000,000 events (--scale 0.1: a tenth)',
};

/** Benches with `--against`. */
const comparable = ['edit', 'growth', 'peers'];

interface Bench {
  readonly bench: (options: BenchOptions) => Promise<unknown>;
}

const usage = `npm run bench [-- NAME… [--scale NUMBER] [--rounds NUMBER] [--part NAME] [--source] [--profile FOLDER] [--against CHECKOUT] [--long] [--json FILE]]

${Object.entries(benches)
  .map(([name, summary]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

Without names all of them run. --source runs the server from its sources even where it is built; --profile writes CPU
profiles of the server. --against measures another built checkout in turns with this one (edit, growth, peers). --long
measures larger sizes, and --json writes the figures (growth, peers, startup). Figures depend on the machine: trust the ratios to the anchors,
which ran in between.
`;

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const unknown = options.names.filter((name) => !Object.hasOwn(benches, name));
  if (options.help || unknown.length > 0) {
    const complaint = unknown.length > 0 ? `There is no bench "${unknown.join('", "')}".\n\n` : '';
    process.stdout.write(`${complaint}${usage}`);
    return unknown.length > 0 ? 2 : 0;
  }
  const names = options.names.length > 0 ? options.names : Object.keys(benches);
  if (options.against !== null && names.some((name) => !comparable.includes(name))) {
    console.error(`--against: only ${comparable.join(', ')} can compare two checkouts.`);
    return 2;
  }
  console.log(`${options.computer}; server from ${options.entry}`);
  let failed = 0;
  for (const name of names) {
    try {
      const { bench } = (await import(`./${name}.ts`)) as Bench;
      await bench(options);
    } catch (error) {
      failed += 1;
      console.error(`\n${name} could not be measured:`, error);
    }
  }
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main();
