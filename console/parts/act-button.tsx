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

/** How a button looks whose act is under way. */
const BUSY = 0.6;

/** A button that, when it may not be pressed, stands there and says why: to the eye, the keyboard and a screen reader alike. */
export function ActButton({ act, reason = null, shortcut, loading = false, children, ...look }: ActButtonProps) {
  const why = useId();
  const isAllowed = reason === null;
  return (
    <Tooltip label={reason} disabled={isAllowed} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...look}
        // Not `loading`, which disables: whoever pressed it by key stands on it still.
        aria-busy={loading}
        opacity={loading ? BUSY : undefined}
        // Not `disabled`: what cannot be focused cannot say why.
        data-disabled={isAllowed ? undefined : true}
        aria-disabled={!isAllowed}
        aria-describedby={isAllowed ? undefined : why}
        aria-keyshortcuts={shortcut}
        onClick={() => isAllowed && !loading && act?.()}
        rightSection={shortcut && <Kbd size="xs">{shortcut}</Kbd>}
      >
        {children}
        {!isAllowed && <VisuallyHidden id={why}>{reason}</VisuallyHidden>}
      </Button>
    </Tooltip>
  );
}
