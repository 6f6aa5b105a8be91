/** The members of a COCO annotation that are read. All of it is unchecked input. */
export interface CocoAnnotation {
  readonly id?: unknown;
  readonly image_id?: unknown;
  readonly category_id?: unknown;
  readonly segmentation?: unknown;
  readonly bbox?: unknown;
  readonly area?: unknown;
  readonly iscrowd?: unknown;
  readonly score?: unknown;
  readonly attributes?: unknown;
  readonly keypoints?: unknown;
  readonly num_keypoints?: unknown;
}
