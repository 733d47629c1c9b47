import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where what was done is said for a moment. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={3} />;
}
