import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Hang-up cause: words for a common cause, with the switch's own code in small print. `isShort` drops the code where there are words. */
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
