import { Button, type ButtonProps, Kbd, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface ActButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'loading' | 'leftSection'> {
  /** Absent: there is a reason why not. */
  act?: () => void;
  /** Why it may not be pressed now; null when it may. */
  reason?: string | null | undefined;
  /** The key that does the same, as it is written on the keyboard. */
  shortcut?: string;
  children: ReactNode;
}

/** A button that, when it may not be pressed, stands there and says why: to the eye, the keyboard and a screen reader alike. */
export function ActButton({ act, reason = null, shortcut, children, ...look }: ActButtonProps) {
  const why = useId();
  const isAllowed = reason === null;
  return (
    <Tooltip label={reason} disabled={isAllowed} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...look}
        // Not `disabled`: what cannot be focused cannot say why.
        data-disabled={isAllowed ? undefined : true}
        aria-disabled={!isAllowed}
        aria-describedby={isAllowed ? undefined : why}
        aria-keyshortcuts={shortcut}
        onClick={() => isAllowed && act?.()}
        rightSection={shortcut && <Kbd size="xs">{shortcut}</Kbd>}
      >
        {children}
        {!isAllowed && <VisuallyHidden id={why}>{reason}</VisuallyHidden>}
      </Button>
    </Tooltip>
  );
}
