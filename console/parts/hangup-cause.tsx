import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Why a channel ended, in words where the cause is a common one, and small the switch's own. */
export function HangupCause({ cause }: { cause: string }) {
  const { t, i18n } = useTranslation();
  const key = `hangupCause.${cause}`;
  return (
    <>
      {i18n.exists(key) && `${t(key)} `}
      <Text span size="xs" className="quiet">
        {cause}
      </Text>
    </>
  );
}
