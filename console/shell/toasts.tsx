import '@mantine/notifications/styles.css';
import { Button } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Done, showToasts } from '../ui/toast.ts';

const SHOWN_MS = 4_000;
/** How long an undoable message stays, in ms: long enough to be read, considered and reached by keyboard. */
const UNDOABLE_MS = 15_000;

/**
 * Messages about finished actions; not on the right, where a drawer has its buttons, nor on the left, where the menu and the first column
 * are, and above the phone bar, whose buttons end a call.
 */
export function Toasts() {
  useEffect(() => showToasts(show), []);
  return <Notifications position="bottom-center" limit={3} />;
}

function show({ message, undo }: Done): void {
  if (!undo) return void notifications.show({ message, color: 'green', autoClose: SHOWN_MS });
  const id = notifications.show({
    message: <Undoable message={message} undo={undo} close={() => notifications.hide(id)} />,
    color: 'green',
    autoClose: UNDOABLE_MS,
  });
}

function Undoable({ message, undo, close }: { message: string; undo: () => Promise<string>; close: () => void }) {
  const { t } = useTranslation();
  const [isUndoing, setIsUndoing] = useState(false);
  async function act() {
    setIsUndoing(true);
    try {
      show({ message: await undo() });
    } catch (error) {
      notifications.show({ message: error instanceof Error ? error.message : String(error), color: 'red', autoClose: false });
    }
    close();
  }
  return (
    <>
      {message}{' '}
      <Button size="compact-xs" variant="default" loading={isUndoing} onClick={() => void act()}>
        {t('toast.undo')}
      </Button>
    </>
  );
}
