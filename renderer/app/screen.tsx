import type { ComponentType } from 'react';

/** The code of a screen did not come: the service is gone, or its files were replaced while the window was open. */
export class ScreenMissing extends Error {}

/** A screen whose code is fetched by `load`, which the router waits for before it renders anything of it. */
export function screen<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>) {
  let Content: ComponentType<Props> | undefined;
  const Screen = (props: Props) => {
    if (Content === undefined) throw new ScreenMissing();
    return <Content {...props} />;
  };
  const load = async (): Promise<void> => {
    try {
      Content ??= await fetchCode();
    } catch (cause) {
      throw new ScreenMissing('', { cause });
    }
  };
  return Object.assign(Screen, { load });
}
