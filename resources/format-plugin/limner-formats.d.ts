/** The API for format plug-ins. Put this file beside your plug-in to get types in the editor. */
declare module 'limner/formats' {
  type ShapeType = 'rectangle' | 'polygon' | 'polyline' | 'points' | 'ellipse' | 'cuboid' | 'mask' | 'skeleton';
  type Source = 'auto' | 'semi-auto' | 'manual' | 'file' | 'consensus';

  interface Attribute {
    readonly name: string;
    readonly value: string;
  }

  /**
   * `points` are pixels from the top left corner of the image. Rectangle: left, top, right, bottom. Ellipse: center x,
   * center y, right x, top y. Polygon, polyline and points: pairs. Cuboid: 16 numbers. Mask: its runs and its box.
   * Skeleton: none, its elements have points. `rotation` is in degrees, clockwise.
   */
  interface LabeledShape {
    readonly type: ShapeType;
    readonly frame: number;
    readonly label: string;
    readonly points: readonly number[];
    readonly occluded: boolean;
    readonly attributes: readonly Attribute[];
    readonly group: number;
    readonly z_order: number;
    readonly rotation?: number;
    readonly source?: Source;
    readonly outside?: boolean;
    readonly score?: number;
    readonly elements?: readonly LabeledShape[];
    /** Task of the frame number, in a project. */
    readonly task_id?: number;
    /** Set on interpolated shapes of tracks, in `group_by_frame`. */
    readonly track_id?: number;
    readonly keyframe?: boolean;
  }

  interface TrackedShape {
    readonly type: ShapeType;
    readonly points: readonly number[];
    readonly occluded: boolean;
    readonly frame: number;
    readonly attributes: readonly Attribute[];
    readonly outside: boolean;
    readonly keyframe: boolean;
    readonly z_order: number;
    readonly rotation?: number;
  }

  interface Track {
    readonly label: string;
    readonly group: number;
    readonly shapes: readonly TrackedShape[];
    readonly source?: Source;
    readonly attributes?: readonly Attribute[];
    readonly elements?: readonly Track[];
    readonly task_id?: number;
  }

  interface Tag {
    readonly frame: number;
    readonly label: string;
    readonly attributes: readonly Attribute[];
    readonly group: number;
    readonly source?: Source;
    /** Task of the frame number, in a project. */
    readonly task_id?: number;
  }

  interface FrameInfo {
    readonly frame: number;
    /** Path of the image with `/`. Video frames are `frame_%06d`. */
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly subset: string;
    readonly task_id: number;
  }

  interface Frame extends FrameInfo {
    readonly labeled_shapes: readonly LabeledShape[];
    readonly tags: readonly Tag[];
  }

  interface Label {
    readonly name: string;
    readonly color: string;
    readonly type: string;
    readonly attributes: readonly {
      readonly name: string;
      readonly mutable: boolean;
      readonly input_type: string;
      readonly default_value: string;
      readonly values: readonly string[];
    }[];
    readonly sublabels: readonly Label[];
  }

  interface TaskMeta {
    readonly kind: 'task' | 'job' | 'project';
    readonly id: number;
    readonly name: string;
    readonly mode: 'annotation' | 'interpolation' | '';
    readonly size: number;
    readonly subset: string;
    readonly start_frame: number;
    readonly stop_frame: number;
    readonly frame_step: number;
    readonly labels: readonly Label[];
    readonly source: string;
    readonly tasks: readonly TaskMeta[];
  }

  /** Lists are read from Limner in batches. Iterate them, and store no more than you need. */
  interface TaskData {
    readonly meta: TaskMeta;
    readonly shapes: Iterable<LabeledShape>;
    readonly tracks: Iterable<Track>;
    readonly tags: Iterable<Tag>;
    readonly frames: Iterable<FrameInfo>;
    readonly frame_count: number;
    /** Frames with their shapes, including interpolated shapes of tracks. */
    group_by_frame(include_empty?: boolean): Iterable<Frame>;
    frame_image(frame: FrameInfo): Promise<{ readonly extension: string; readonly bytes?: Uint8Array } | null>;
    /** Frame of an image in the file, by path or number. */
    match_frame(item: { readonly name?: string; readonly frame?: number; readonly subset?: string }): number | null;
    frame_info(frame: number): FrameInfo | undefined;
    label(name: string): Label | undefined;
    /** Present in the import of a dataset: labels of the file become labels of the project. */
    declare_label?(label: { readonly name: string; readonly color?: string }): void;
    /** These functions return their argument. They replace the classes that CVAT plug-ins use to create objects. */
    Attribute(attribute: Attribute): Attribute;
    LabeledShape(shape: LabeledShape): LabeledShape;
    TrackedShape(shape: TrackedShape): TrackedShape;
    Track(track: Track): Track;
    Tag(tag: Tag): Tag;
    Frame(frame: Frame): Frame;
    /** `at` is the object's place in the file for the report, for example `line 12`. */
    add_shape(shape: LabeledShape, at?: string): void;
    add_track(track: Track, at?: string): void;
    add_tag(tag: Tag, at?: string): void;
  }

  /**
   * Records that an import could not read, and objects that an export dropped. Imported objects are counted
   * automatically.
   */
  interface Report {
    included(type: string, label: string, count?: number): void;
    dropped(type: string, label: string, rule: string, count?: number): void;
    invalid(file: string, at: string, reason: string): void;
    warn(message: string): void;
  }

  interface Options {
    readonly report: Report;
    readonly progress: (fraction: number) => void;
    readonly [option: string]: unknown;
  }

  interface FormatParameters {
    readonly name: string;
    readonly version: string;
    /** File extension; for an importer a comma-separated list. */
    readonly ext: string;
    /** Default: name, version and extension combined. */
    readonly display_name?: string;
    /** Options for the user; the values are members of `options`. */
    readonly options?: readonly Option[];
    /** Detects if a file is of this format. Importers only. Large files are truncated. */
    readonly detect?: (file_object: { readonly path: string; readonly name: string }) => Promise<Found> | Found;
  }

  /** A sentence with the evidence, and the confidence: 0 to 1; from 0.9, the format is almost certain. */
  type Found = { readonly reason: string; readonly confidence: number } | null;

  type Option = { readonly name: string; readonly title: string; readonly description?: string } & (
    | { readonly kind: 'boolean'; readonly default: boolean }
    | { readonly kind: 'number'; readonly minimum: number; readonly maximum: number; readonly default?: number }
    | { readonly kind: 'choice'; readonly choices: readonly { readonly value: string; readonly title: string }[] }
    | { readonly kind: 'text' }
  );

  type Importer = (
    file_object: { readonly path: string; readonly name: string },
    task_data: TaskData,
    options: Options & { readonly conv_mask_to_poly: boolean },
  ) => Promise<void>;
  type Exporter = (
    file_object: { readonly path: string },
    task_data: TaskData,
    options: Options & { readonly save_images: boolean },
  ) => Promise<void>;

  /** A function, or a class with that constructor and a method `run()`. */
  export function importer(
    parameters: FormatParameters,
  ): (target: Importer | (new (...args: Parameters<Importer>) => { run(): Promise<void> })) => object;
  export function exporter(
    parameters: FormatParameters,
  ): (target: Exporter | (new (...args: Parameters<Exporter>) => { run(): Promise<void> })) => object;

  /** Writes a zip archive from front to back. Await each call. */
  export function createZipWriter(path: string): Promise<{
    add(name: string, bytes: Uint8Array | string): Promise<void>;
    finish(): Promise<void>;
    abort(): Promise<void>;
  }>;
}
