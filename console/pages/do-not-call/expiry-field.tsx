import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { addMonths } from '../../text/date-range.ts';
import { localOf } from '../../text/local-time.ts';

interface ExpiryFieldProps {
  /** Value of `<input type="datetime-local">`; empty: no expiry. */
  value: string;
  error?: string | undefined;
  change: (value: string) => void;
}

const MONTHS = [3, 6, 12, 24];

/** No expiry, or a day. */
export function ExpiryField({ value, error, change }: ExpiryFieldProps) {
  const { t } = useTranslation();
  const inMonths = (months: number) => addMonths(localOf(new Date().toISOString()), months);
  const isPermanent = value === '';
  return (
    <>
      <Input.Wrapper label={t('doNotCall.expires')}>
        <div>
          <SegmentedControl
            aria-label={t('doNotCall.expires')}
            value={isPermanent ? '' : 'until'}
            onChange={kind => change(kind === '' ? '' : inMonths(MONTHS[2] ?? 12))}
            data={[
              { value: '', label: t('doNotCall.permanent') },
              { value: 'until', label: t('doNotCall.until') },
            ]}
          />
        </div>
      </Input.Wrapper>
      {!isPermanent && (
        <TextInput
          type="datetime-local"
          aria-label={t('doNotCall.until')}
          description={
            <>
              {MONTHS.map(months => (
                <button key={months} type="button" className="link" style={{ marginRight: 12 }} onClick={() => change(inMonths(months))}>
                  {t('doNotCall.months', { count: months })}
                </button>
              ))}
            </>
          }
          inputWrapperOrder={['input', 'description', 'error']}
          value={value}
          error={error}
          onChange={event => change(event.currentTarget.value)}
        />
      )}
    </>
  );
}
