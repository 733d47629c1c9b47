import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Why a channel ended, in words where the cause is a common one, and small the switch's own; short: that only where there are no words. */
export function HangupCause({ cause, isShort = false }: { cause: string; isShort?: boolean }) {
  const { t, i18n } = useTranslation();
  const key = `hangupCause.${cause}`;
  if (isShort && i18n.exists(key)) return t(key);
  return (
    <>
      {i18n.exists(key) && `${t(key)} `}
      <Text span size="xs" className="quiet">
        {cause}
      </Text>
    </>
  );
}
