import { Button, type ButtonProps, type ElementProps } from '@mantine/core';

type Props = ButtonProps & ElementProps<'button', keyof ButtonProps>;

/** Beside what a page or a dialog is for: another thing to do, or the way back. */
export const QuietButton = (props: Props) => <Button variant="default" {...props} />;

/** The same where buttons stand close to what they change. */
export const SmallButton = (props: Props) => <Button size="xs" variant="default" {...props} />;
