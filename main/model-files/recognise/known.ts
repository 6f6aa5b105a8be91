/** The 80 COCO label names in index order. */
const coco =
  'person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,bench,' +
  'bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,skis,' +
  'snowboard,sports ball,kite,baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,cup,' +
  'fork,knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,potted plant,' +
  'bed,dining table,toilet,tv,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,refrigerator,book,' +
  'clock,vase,scissors,teddy bear,hair drier,toothbrush';
export const cocoLabels: readonly string[] = coco.split(',');

/** Unused COCO category ids between 1 and 90. */
const cocoGaps: ReadonlySet<number> = new Set([12, 26, 29, 30, 45, 66, 68, 69, 71, 83]);

/** The same names by COCO category id: 91 entries from 0. */
export function cocoCategories(): string[] {
  const names = [...cocoLabels];
  return Array.from({ length: 91 }, (_, number) =>
    number === 0 || cocoGaps.has(number) ? `N/A ${number}` : (names.shift() ?? `N/A ${number}`),
  );
}

const voc =
  'aeroplane,bicycle,bird,boat,bottle,bus,car,cat,chair,cow,diningtable,dog,horse,motorbike,person,pottedplant,sheep,' +
  'sofa,train,tvmonitor';
/** Pascal VOC's labels; semantic models add the background before them. */
export const vocLabels: readonly string[] = voc.split(',');

export const cocoKeypoints: readonly string[] =
  'nose,left_eye,right_eye,left_ear,right_ear,left_shoulder,right_shoulder,left_elbow,right_elbow,left_wrist,right_wrist,left_hip,right_hip,left_knee,right_knee,left_ankle,right_ankle'.split(
    ',',
  );

/** Placeholder names that the user should change. */
export const numbered = (count: number, word = 'label'): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`);
