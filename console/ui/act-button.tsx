import { Button, type ButtonProps, Kbd, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface ActButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'loading' | 'leftSection'> {
  /** Absent when `reason` disables the button. */
  act?: () => void;
  /** Why it is disabled; null when it is allowed. */
  reason?: string | null | undefined;
  /** Called with the reason and the shortcut key when the disabled button is pressed, to show the reason where the user looks. */
  explain?: ((reason: string, shortcut?: string) => void) | undefined;
  /** The mode that the button switches is on. Absent for a button that switches none. */
  isPressed?: boolean | undefined;
  /** Accessible name where the words alone do not say what it acts on. */
  label?: string;
  /** Shortcut key, as written on the keyboard. */
  shortcut?: string;
  children: ReactNode;
}

/** Opacity of a button while its action runs. */
const BUSY = 0.6;

/** A button that stays focusable while it is disabled and says why, in a tooltip and to screen readers. */
export function ActButton({ act, reason = null, explain, isPressed, label, shortcut, loading = false, children, ...look }: ActButtonProps) {
  const why = useId();
  const isAllowed = reason === null;
  return (
    <Tooltip label={reason} disabled={isAllowed} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...look}
        // Not `loading`, which disables the button: a keyboard user would lose the focus.
        aria-busy={loading}
        opacity={loading ? BUSY : undefined}
        // Not `disabled`: an element that cannot be focused cannot explain itself.
        data-disabled={isAllowed ? undefined : true}
        aria-disabled={!isAllowed}
        aria-describedby={isAllowed ? undefined : why}
        aria-keyshortcuts={shortcut}
        aria-label={label}
        aria-pressed={isPressed}
        onClick={() => (isAllowed ? !loading && act?.() : explain?.(reason, shortcut))}
        rightSection={shortcut && <Kbd size="xs">{shortcut}</Kbd>}
      >
        {children}
        {!isAllowed && <VisuallyHidden id={why}>{reason}</VisuallyHidden>}
      </Button>
    </Tooltip>
  );
}
