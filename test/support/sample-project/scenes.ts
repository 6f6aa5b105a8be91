/**
 * Drawn scenes of the sample project, 640 × 400 units each. All positions are known, so the annotations fit exactly.
 * The drawings are part of Limner and free to ship.
 */
export const sceneWidth = 640;
export const sceneHeight = 400;

type Point = readonly [x: number, y: number];

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sceneWidth} ${sceneHeight}">${content}</svg>`;
const gradient = (id: string, from: string, to: string, direction = 'x2="0" y2="1"'): string =>
  `<linearGradient id="${id}" ${direction}><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;
const ball = (id: string, from: string, to: string): string =>
  `<radialGradient id="${id}" cx=".35" cy=".3" r=".8"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></radialGradient>`;
const blur = (id: string, deviation: number): string =>
  `<filter id="${id}"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
const at = ([x, y]: Point, content: string): string => `<g transform="translate(${x} ${y})">${content}</g>`;

/** Offsets of the things in a park; null leaves a thing out. */
export interface Park {
  readonly person: Point | null;
  readonly dog: Point | null;
  readonly bicycle: Point | null;
  readonly coat: string;
  readonly sky: readonly [string, string];
}

const person = (coat: string): string => `<ellipse cx="372" cy="338" rx="40" ry="7" opacity=".35" filter="url(#soft)"/>
  <g stroke-linecap="round" stroke-linejoin="round">
  <path d="M364 262L352 300L346 332M378 262L386 300L396 330" fill="none" stroke="#2c3442" stroke-width="14"/>
  <path d="M340 334H352M392 333L406 331" stroke="#1d1f24" stroke-width="7"/>
  <path d="M350 184Q370 172 392 186L396 262Q372 272 350 264Z" fill="${coat}"/>
  <path d="M354 192L336 226L318 246M390 192L400 228L394 252" fill="none" stroke="${coat}" stroke-width="12"/>
  <path d="M354 192L336 226L318 246M390 192L400 228L394 252" fill="none" stroke="#000" stroke-opacity=".15" stroke-width="12"/>
  <circle cx="316" cy="248" r="5.5" fill="#d9a983"/><circle cx="371" cy="158" r="17" fill="#d9a983"/>
  <path d="M354 158Q352 138 372 138Q390 138 389 158Q384 148 370 148Q360 148 354 158Z" fill="#3a2c22"/></g>`;
/** Points of the person's skeleton, in the order of the label. */
export const personPoints: readonly Point[] = [
  [371, 156],
  [371, 186],
  [318, 247],
  [395, 252],
  [372, 262],
  [346, 332],
  [398, 331],
];

const dog = `<ellipse cx="224" cy="352" rx="70" ry="8" opacity=".35" filter="url(#soft)"/>
  <g stroke-linecap="round" stroke-linejoin="round">
  <path d="M262 300L266 326L262 348M248 304L242 328L246 350" fill="none" stroke="#5f3c20" stroke-width="11"/>
  <path d="M202 306L204 330L198 350M190 302L180 326L172 344" fill="none" stroke="#7a4f2c" stroke-width="11"/>
  <path d="M268 288Q288 276 292 254" fill="none" stroke="#7a4f2c" stroke-width="8"/>
  <path d="M184 284Q196 272 226 276Q262 274 272 290Q276 308 258 312Q228 320 200 316Q182 310 184 284Z" fill="#7a4f2c"/>
  <path d="M192 300Q170 286 172 262L196 254Q206 268 214 284Z" fill="#7a4f2c"/>
  <path d="M150 262Q154 244 176 242Q196 242 200 260Q200 276 182 278L160 276Q148 274 150 262Z" fill="#7a4f2c"/>
  <path d="M154 262Q142 262 138 270Q140 280 158 277Z" fill="#5f3c20"/>
  <path d="M184 244Q204 244 204 266Q200 280 190 274Q184 262 184 244Z" fill="#5f3c20"/>
  <circle cx="141" cy="268" r="3.4" fill="#1d1512"/><circle cx="166" cy="256" r="2.6" fill="#1d1512"/>
  <path d="M176 280L206 272" stroke="#c0392b" stroke-width="5"/></g>`;
export const dogOutline: readonly Point[] = [
  [138, 270], [142, 262], [151, 260], [156, 248], [176, 242], [198, 246], [204, 264], [216, 276], [240, 275],
  [262, 280], [278, 276], [288, 252], [296, 252], [294, 270], [276, 292], [268, 310], [272, 326], [268, 352],
  [240, 354], [236, 328], [240, 318], [209, 318], [210, 332], [204, 353], [192, 353], [196, 332], [196, 318],
  [186, 328], [178, 347], [166, 346], [174, 324], [184, 302], [172, 282], [160, 280], [142, 279],
]; // prettier-ignore

const bicycle = `<ellipse cx="520" cy="316" rx="76" ry="7" opacity=".35" filter="url(#soft)"/>
  <g fill="none" stroke="#2b2f36" stroke-width="4.5"><circle cx="478" cy="282" r="31"/><circle cx="562" cy="278" r="31"/></g>
  <g fill="none" stroke="#9a2f2c" stroke-width="5" stroke-linejoin="round" stroke-linecap="round">
  <path d="M478 282L500 238L546 236L516 281ZM500 238L516 281M546 236L562 278M546 236L542 222"/>
  <path d="M494 226H510M502 228L500 238M534 222L550 218" stroke="#2b2f36"/></g><circle cx="516" cy="281" r="7" fill="#2b2f36"/>`;
export const bicycleOutline: readonly Point[] = [
  [492, 224], [512, 224], [506, 235], [542, 233], [533, 220], [551, 215], [550, 232], [562, 245], [582, 251],
  [594, 270], [593, 290], [580, 307], [560, 312], [540, 303], [529, 283], [516, 290], [508, 287], [502, 304],
  [478, 315], [455, 305], [445, 284], [452, 262], [470, 250], [488, 250], [497, 234],
]; // prettier-ignore

export const drawPark = (park: Park): string =>
  svg(`<defs>${gradient('sky', ...park.sky)}${gradient('grass', '#8fa862', '#5d7c3c')}${gradient('way', '#c9bda6', '#b3a488')}
  ${blur('far', 1.6)}${blur('soft', 3)}</defs><rect width="640" height="400" fill="url(#sky)"/>
  <g filter="url(#far)"><path d="M0 190C60 150 90 178 130 160S210 120 250 150S330 140 370 165S470 120 520 150S600 150 640 135V240H0Z" fill="#6f8f63"/>
  <path d="M0 205C70 185 120 200 180 188S300 190 360 196S520 176 640 190V260H0Z" fill="#557a4b"/>
  <path d="M86 205V150M548 205V120" stroke="#4a3a2c" stroke-width="9"/>
  <ellipse cx="86" cy="128" rx="46" ry="52" fill="#4f7a43"/><ellipse cx="70" cy="112" rx="26" ry="26" fill="#648f52"/>
  <ellipse cx="548" cy="98" rx="58" ry="66" fill="#456f3d"/><ellipse cx="530" cy="80" rx="32" ry="30" fill="#5b8a4c"/></g>
  <rect y="205" width="640" height="195" fill="url(#grass)"/>
  <path d="M0 330C160 300 330 290 640 262V318C420 336 220 362 90 400H0Z" fill="url(#way)"/>
  ${park.bicycle === null ? '' : at(park.bicycle, bicycle)}
  ${park.person === null ? '' : at(park.person, person(park.coat))}
  ${leash(park)}
  ${park.dog === null ? '' : at(park.dog, dog)}`);

const leash = ({ person: hand, dog: neck }: Park): string =>
  hand === null || neck === null
    ? ''
    : `<path d="M${318 + hand[0]} ${248 + hand[1]}Q${280 + neck[0]} ${268 + neck[1]} ${214 + neck[0]} ${276 + neck[1]}" fill="none" stroke="#2b2f36" stroke-width="2"/>`;

/** A moment in a street; the car grows from the point where the lanes meet. */
export interface Street {
  /** Position of the car's lower centre. */
  readonly car: Point;
  readonly carScale: number;
  readonly carColor: string;
  readonly walker: number;
  /** Alternates while walking. */
  readonly step: boolean;
}

const houses: readonly (readonly [x: number, y: number, width: number, height: number, color: string])[] = [
  [0, 70, 120, 170, '#8d7c72'],
  [112, 104, 90, 136, '#a08d7c'],
  [196, 128, 66, 112, '#7f8894'],
  [380, 124, 70, 116, '#937f75'],
  [446, 88, 96, 152, '#8a93a0'],
  [538, 52, 110, 188, '#a58f7b'],
];
const windows = ([x, y, width, height]: (typeof houses)[number]): string => {
  const columns = Math.floor((width - 10) / 24);
  const rows = Math.floor((height - 10) / 26);
  return Array.from(
    { length: columns * rows },
    (_, index) =>
      `<rect x="${x + 10 + (index % columns) * 24}" y="${y + 14 + Math.floor(index / columns) * 26}" width="11" height="15" fill="#2f3a47" opacity=".75"/>`,
  ).join('');
};
const car = (color: string): string => `<ellipse cx="402" cy="352" rx="82" ry="9" opacity=".4" filter="url(#shade)"/>
  <path d="M326 344V290Q328 280 338 278L354 250Q358 243 368 243H436Q446 243 450 250L466 278Q476 280 478 290V344Z" fill="${color}"/>
  <path d="M350 278L362 254H442L454 278Z" fill="#25303b"/>
  <rect x="330" y="292" width="30" height="13" rx="4" fill="#f0c9a0"/><rect x="444" y="292" width="30" height="13" rx="4" fill="#f0c9a0"/>
  <rect x="372" y="310" width="60" height="14" rx="3" fill="#e9e6dc"/>
  <rect x="334" y="338" width="26" height="18" rx="5" fill="#1d1f24"/><rect x="444" y="338" width="26" height="18" rx="5" fill="#1d1f24"/>`;
const walker = (step: boolean): string => `<g stroke-linecap="round">
  <path d="${step ? 'M134 300L124 344M146 300L158 344' : 'M136 300L136 345M144 300L145 345'}" stroke="#2a313d" stroke-width="11"/>
  <path d="M128 236Q140 230 152 236L154 302H126Z" fill="#c6922e"/>
  <path d="M128 242L118 280M152 242L162 278" stroke="#b58428" stroke-width="9"/><circle cx="140" cy="219" r="13" fill="#caa07c"/>
  <path d="M127 218Q127 204 141 204Q154 205 153 219Q146 210 127 218Z" fill="#2b2320"/></g>`;

export const drawStreet = (street: Street): string =>
  svg(`<defs>${gradient('sky', '#b9cbdc', '#e6e7e4')}${blur('far', 1.1)}${blur('shade', 4)}</defs>
  <rect width="640" height="400" fill="url(#sky)"/>
  <g filter="url(#far)">${houses.map((house) => `<rect x="${house[0]}" y="${house[1]}" width="${house[2]}" height="${house[3]}" fill="${house[4]}"/>${windows(house)}`).join('')}</g>
  <path d="M0 400V240H640V400Z" fill="#a9a49c"/><path d="M286 238H352L560 400H70Z" fill="#5a5c61"/>
  <path d="M318 244L316 262M314 276L311 304M308 322L303 362M301 378L299 400" stroke="#e9e6dc" stroke-width="5"/>
  <g transform="translate(${street.car[0]} ${street.car[1]}) scale(${street.carScale}) translate(-402 -356)">${car(street.carColor)}</g>
  ${at([street.walker, 0], walker(street.step))}
  <path d="M582 244V372" stroke="#6b7078" stroke-width="7"/>
  <path d="M582 196L612 248H552Z" fill="#f4f1ea" stroke="#c0392b" stroke-width="8" stroke-linejoin="round"/>`);

export const carBox = ({ car: [x, y], carScale }: Street): readonly number[] => [
  x - 76 * carScale,
  y - 113 * carScale,
  x + 76 * carScale,
  y,
];
export const walkerBox = ({ walker: x }: Street): readonly number[] => [113 + x, 204, 167 + x, 350];
export const signOutline: readonly Point[] = [[582, 190], [618, 252], [546, 252]]; // prettier-ignore
export const laneLine: readonly Point[] = [[318, 244], [314, 276], [308, 322], [299, 399]]; // prettier-ignore

export interface Fruit {
  readonly kind: 'apple' | 'orange' | 'lime';
  readonly center: Point;
  readonly radius: number;
}
const fills = { apple: 'url(#apple)', orange: 'url(#orange)', lime: 'url(#lime)' };
export const bananaOutline: readonly Point[] = [
  [490, 333], [530, 335], [560, 322], [586, 292], [593, 280], [599, 278], [602, 290], [592, 326], [566, 352],
  [530, 363], [504, 361], [489, 354],
]; // prettier-ignore
export const bowlOutline: readonly Point[] = [
  [150, 236], [480, 236], [476, 270], [464, 304], [446, 328], [418, 344], [380, 350], [250, 350], [212, 344],
  [184, 328], [166, 304], [154, 270],
]; // prettier-ignore

export const drawFruit = (fruits: readonly Fruit[]): string =>
  svg(`<defs>${gradient('wall', '#d9d5cb', '#b9b3a6', 'x2="1" y2="1"')}${gradient('table', '#8a6a4c', '#6b4e36')}
  ${ball('orange', '#ffb14d', '#d96a14')}${ball('apple', '#e0564a', '#8e1d1d')}${ball('lime', '#c9e27a', '#6d9a2b')}${blur('shade', 8)}</defs>
  <rect width="640" height="400" fill="url(#wall)"/><rect y="250" width="640" height="150" fill="url(#table)"/>
  <ellipse cx="310" cy="352" rx="190" ry="18" opacity=".45" filter="url(#shade)"/>
  ${fruits.map(({ kind, center: [x, y], radius }) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fills[kind]}"/>`).join('')}
  <path d="M150 236H480Q470 346 380 350H250Q160 346 150 236Z" fill="#e8e6e0"/>
  <path d="M150 236H480L478 252Q320 268 152 252Z" fill="#cfccc4"/>
  <ellipse cx="548" cy="368" rx="60" ry="7" opacity=".35" filter="url(#shade)"/>
  <path d="M496 330Q556 338 590 286Q598 282 602 290Q586 366 508 362Q488 360 488 346Z" fill="#e7c63a"/>
  <path d="M590 286L596 274" stroke="#5c4a22" stroke-width="8" stroke-linecap="round"/>
  ${fruits
    .filter(({ center: [, y] }) => y > 300)
    .map(({ kind, center: [x, y], radius }) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fills[kind]}"/>`)
    .join('')}`);

export interface Receipt {
  /** In degrees. */
  readonly turn: number;
  readonly lines: readonly (readonly [text: string, price: string])[];
}
const paper = { left: 190, top: 24, right: 450, bottom: 376 };
const lineHeight = 30;
const firstLine = 104;

/** A point of the receipt, turned about its centre. */
export const onReceipt = ({ turn }: Receipt, [x, y]: Point): Point => {
  const angle = (turn * Math.PI) / 180;
  const [dx, dy] = [x - 320, y - 200];
  return [320 + dx * Math.cos(angle) - dy * Math.sin(angle), 200 + dx * Math.sin(angle) + dy * Math.cos(angle)];
};
export const receiptOutline: readonly Point[] = [
  [paper.left, paper.top], [paper.right, paper.top], [paper.right, paper.bottom], [paper.left, paper.bottom],
]; // prettier-ignore
/** Corners of the line's text, before the turn. */
export const receiptLine = (index: number): readonly Point[] => {
  const y = firstLine + index * lineHeight;
  return [[206, y - 15], [434, y - 15], [434, y + 6], [206, y + 6]]; // prettier-ignore
};
export const drawReceipt = (receipt: Receipt): string =>
  svg(`<defs>${gradient('wood', '#7a5a3e', '#553b27', 'x2="1" y2="1"')}${gradient('paper', '#f7f5ef', '#dedad0', 'x2="1" y2=".4"')}${blur('shade', 7)}</defs>
  <rect width="640" height="400" fill="url(#wood)"/>
  <g stroke="#3f2b1c" stroke-opacity=".4" fill="none" stroke-width="2"><path d="M0 60C200 54 420 66 640 58M0 165C240 170 400 159 640 166M0 270C220 264 460 276 640 269M0 360C220 365 460 356 640 362"/></g>
  <g transform="rotate(${receipt.turn} 320 200)"><rect x="196" y="32" width="262" height="352" opacity=".5" filter="url(#shade)"/>
  <rect x="${paper.left}" y="${paper.top}" width="${paper.right - paper.left}" height="${paper.bottom - paper.top}" fill="url(#paper)"/>
  <g font-family="DejaVu Sans Mono,monospace" fill="#2a2a2e" font-size="17">
  <text x="320" y="66" font-size="21" font-weight="700" text-anchor="middle">CORNER BAKERY</text>
  ${receipt.lines.map(([text, price], index) => `<text x="208" y="${firstLine + index * lineHeight}">${text}</text><text x="432" y="${firstLine + index * lineHeight}" text-anchor="end">${price}</text>`).join('')}</g>
  <path d="M206 80H434" stroke="#4c4c50" stroke-width="1.2" stroke-dasharray="5 4"/></g>`);
