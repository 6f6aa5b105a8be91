import { Button, type ButtonProps, type ElementProps } from '@mantine/core';

type Props = ButtonProps & ElementProps<'button', keyof ButtonProps>;

export const QuietButton = (props: Props) => <Button variant="default" {...props} />;

export const SmallButton = (props: Props) => <Button size="xs" variant="default" {...props} />;
