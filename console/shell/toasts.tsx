import '@mantine/notifications/styles.css';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { showToasts } from '../parts/toast.ts';

const SHOWN_MS = 4_000;

/** Where what was done is said for a moment. */
export function Toasts() {
  useEffect(() => showToasts(message => notifications.show({ message, color: 'green', autoClose: SHOWN_MS })), []);
  return <Notifications position="bottom-right" limit={3} />;
}
