import { Slider } from '@mantine/core';

interface ShareSliderProps {
  readonly name: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** Text beside the thumb while it moves. */
  readonly label?: (value: number) => string;
}

export const ShareSlider = ({ name, label, ...rest }: ShareSliderProps) => (
  <Slider size={4} thumbSize={14} min={0} max={1} step={0.01} label={label ?? null} thumbLabel={name} {...rest} />
);
