import type { PathSink } from './shapes/behaviour.ts';

/** Hundredths of a pixel: invisible, and half as long. */
export const short = (value: number): string => String(Math.round(value * 100) / 100);

export function createPathText(): PathSink & { text(): string } {
  const parts: string[] = [];
  return {
    moveTo: (x, y) => void parts.push(`M${short(x)} ${short(y)}`),
    lineTo: (x, y) => void parts.push(`L${short(x)} ${short(y)}`),
    closePath: () => void parts.push('Z'),
    /** Draws two halves, because an SVG arc cannot end at its start. */
    ellipse(x, y, radiusX, radiusY, rotation) {
      const [dx, dy] = [Math.cos(rotation) * radiusX, Math.sin(rotation) * radiusX];
      const arc = `A${short(radiusX)} ${short(radiusY)} ${short((rotation * 180) / Math.PI)} 1 1`;
      const [left, right] = [`${short(x - dx)} ${short(y - dy)}`, `${short(x + dx)} ${short(y + dy)}`];
      parts.push(`M${left}${arc} ${right}${arc} ${left}Z`);
    },
    text: () => parts.join(''),
  };
}
