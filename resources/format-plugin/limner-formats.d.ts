/** What a format plug-in imports from Limner. Put this file beside your own for types in the editor. */
declare module 'limner/formats' {
  type ShapeType = 'rectangle' | 'polygon' | 'polyline' | 'points' | 'ellipse' | 'cuboid' | 'mask' | 'skeleton';
  type Source = 'auto' | 'semi-auto' | 'manual' | 'file' | 'consensus';

  interface Attribute {
    readonly name: string;
    readonly value: string;
  }

  /**
   * `points` are pixels from the top left corner of the image: a rectangle's left, top, right, bottom; an ellipse's
   * centre, right x, top y; pairs for polygon, polyline and points; 16 numbers of a cuboid; the runs of a mask and its
   * box. A skeleton has none: its elements have. `rotation` is in degrees, clockwise.
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
    /** In a project: the task that the frame number belongs to. */
    readonly task_id?: number;
    /** On the interpolated shapes of tracks, in `group_by_frame`. */
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
    /** In a project: the task that the frame number belongs to. */
    readonly task_id?: number;
  }

  interface FrameInfo {
    readonly frame: number;
    /** Path of the image with `/`; video frames are `frame_%06d`. */
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

  /** Lists are read from Limner in batches: loop over them, and keep no more than you need. */
  interface TaskData {
    readonly meta: TaskMeta;
    readonly shapes: Iterable<LabeledShape>;
    readonly tracks: Iterable<Track>;
    readonly tags: Iterable<Tag>;
    readonly frames: Iterable<FrameInfo>;
    readonly frame_count: number;
    /** Frames with their shapes, those of tracks interpolated. */
    group_by_frame(include_empty?: boolean): Iterable<Frame>;
    frame_image(frame: FrameInfo): Promise<{ readonly extension: string; readonly bytes?: Uint8Array } | null>;
    /** The frame that an image of the file means, by its path or its number. */
    match_frame(item: { readonly name?: string; readonly frame?: number; readonly subset?: string }): number | null;
    frame_info(frame: number): FrameInfo | undefined;
    label(name: string): Label | undefined;
    /** Present in the import of a whole dataset: labels of the file become labels of the project. */
    declare_label?(label: { readonly name: string; readonly color?: string }): void;
    /** These return their argument: they stand where a plug-in of CVAT makes an object. */
    Attribute(attribute: Attribute): Attribute;
    LabeledShape(shape: LabeledShape): LabeledShape;
    TrackedShape(shape: TrackedShape): TrackedShape;
    Track(track: Track): Track;
    Tag(tag: Tag): Tag;
    Frame(frame: Frame): Frame;
    /** `at` says where in the file the object stands, for the report: `line 12`. */
    add_shape(shape: LabeledShape, at?: string): void;
    add_track(track: Track, at?: string): void;
    add_tag(tag: Tag, at?: string): void;
  }

  /** What an import could not read, and what an export could not carry. An import counts by itself what arrived. */
  interface Report {
    carried(type: string, label: string, count?: number): void;
    lost(type: string, label: string, rule: string, count?: number): void;
    bad(file: string, at: string, reason: string): void;
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
    /** Without it name, version and extension are combined. */
    readonly display_name?: string;
    /** What a person may choose; the answers are members of the options. */
    readonly options?: readonly Option[];
    /** Of an importer: whether a file may be of this format. Of a large file only the beginning is there. */
    readonly detect?: (file_object: { readonly path: string; readonly name: string }) => Promise<Found> | Found;
  }

  /** What speaks for the format, as a sentence, and how much: 0 to 1, from 0.9 on there is hardly a doubt. */
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

  /** Writes a zip archive front to back; await each call. */
  export function createZipWriter(path: string): Promise<{
    add(name: string, bytes: Uint8Array | string): Promise<void>;
    finish(): Promise<void>;
    abort(): Promise<void>;
  }>;
}
