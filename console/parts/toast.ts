import { notifications } from '@mantine/notifications';

/** Says for a moment what was done. What failed is told where it was asked for, and stays. */
export function sayDone(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000 });
}
