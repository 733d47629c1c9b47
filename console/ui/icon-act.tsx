import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface IconActProps {
  /** Name of the action, in words. */
  label: string;
  act: () => void;
  /** Why it is disabled; null when it is allowed. */
  reason?: string | null;
  /** Shortcut keys, as `aria-keyshortcuts` writes them. */
  keys?: string;
  size?: number;
  /** The icon. */
  children: ReactNode;
}

/** A button that shows an icon for its words. It stays focusable while it is disabled and says why, in a tooltip and to screen readers. */
export function IconAct({ label, act, reason = null, keys, size, children }: IconActProps) {
  const why = useId();
  const isAllowed = reason === null;
  return (
    <Tooltip label={reason ?? label} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        // A plain button, like its neighbours.
        bg={isAllowed ? undefined : 'transparent'}
        aria-label={label}
        aria-keyshortcuts={keys}
        // Not `disabled`: an element that cannot be focused cannot explain itself.
        data-disabled={isAllowed ? undefined : true}
        aria-disabled={!isAllowed}
        aria-describedby={isAllowed ? undefined : why}
        onClick={() => isAllowed && act()}
      >
        {children}
        {!isAllowed && <VisuallyHidden id={why}>{reason}</VisuallyHidden>}
      </ActionIcon>
    </Tooltip>
  );
}
