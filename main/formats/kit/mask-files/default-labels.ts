import type { RgbColor } from '../../../../preload/contract/colors.ts';
import type { LabelColor } from './label-colors.ts';

function parse(list: string): LabelColor[] {
  return list.split(' ').map((entry) => {
    const [name = '', ...channels] = entry.split(',');
    // Three numbers follow each name.
    return { name, color: channels.map(Number) as unknown as RgbColor };
  });
}

/** Classes of CamVid, for datasets without `label_colors.txt`. */
export const camvidLabels = (): LabelColor[] =>
  parse(
    'Void,0,0,0 Animal,64,128,64 Archway,192,0,128 Bicyclist,0,128,192 Bridge,0,128,64 Building,128,0,0 Car,64,0,128 ' +
      'CartLuggagePram,64,0,192 Child,192,128,64 Column_Pole,192,192,128 Fence,64,64,128 LaneMkgsDriv,128,0,192 ' +
      'LaneMkgsNonDriv,192,0,64 Misc_Text,128,128,64 MotorcycycleScooter,192,0,192 OtherMoving,128,64,64 ' +
      'ParkingBlock,64,192,128 Pedestrian,64,64,0 Road,128,64,128 RoadShoulder,128,128,192 Sidewalk,0,0,192 ' +
      'SignSymbol,192,128,128 Sky,128,128,128 SUVPickupTruck,64,128,192 TrafficCone,0,0,64 TrafficLight,0,64,64 ' +
      'Train,192,64,128 Tree,128,128,0 Truck_Bus,192,128,192 Tunnel,64,0,64 VegetationMisc,192,192,0 Wall,64,192,0',
  );

/** Classes of Cityscapes (also used by KITTI) by their published numbers. */
export const cityscapesLabels = (): LabelColor[] =>
  parse(
    'unlabeled,0,0,0 egovehicle,0,0,0 rectificationborder,0,0,0 outofroi,0,0,0 static,0,0,0 dynamic,111,74,0 ' +
      'ground,81,0,81 road,128,64,128 sidewalk,244,35,232 parking,250,170,160 railtrack,230,150,140 building,70,70,70 ' +
      'wall,102,102,156 fence,190,153,153 guardrail,180,165,180 bridge,150,100,100 tunnel,150,120,90 pole,153,153,153 ' +
      'polegroup,153,153,153 trafficlight,250,170,30 trafficsign,220,220,0 vegetation,107,142,35 terrain,152,251,152 ' +
      'sky,70,130,180 person,220,20,60 rider,255,0,0 car,0,0,142 truck,0,0,70 bus,0,60,100 caravan,0,0,90 ' +
      'trailer,0,0,110 train,0,80,100 motorcycle,0,0,230 bicycle,119,11,32 licenseplate,0,0,142',
  );

/** Training classes of Cityscapes by their training numbers, followed by the background. */
export const cityscapesTrainLabels = (): LabelColor[] =>
  parse(
    'road,128,64,128 sidewalk,244,35,232 building,70,70,70 wall,102,102,156 fence,190,153,153 pole,153,153,153 ' +
      'trafficlight,250,170,30 trafficsign,220,220,0 vegetation,107,142,35 terrain,152,251,152 sky,70,130,180 ' +
      'person,220,20,60 rider,255,0,0 car,0,0,142 truck,0,0,70 bus,0,60,100 train,0,80,100 motorcycle,0,0,230 ' +
      'bicycle,119,11,32 background,0,0,0',
  );
