import { Alert } from '@mantine/core';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useTranslation } from 'react-i18next';

/** What went wrong with a question or a command: the server's words, and the number by which its log tells more. */
export function Notice({ error, title }: { error: Error; title?: string }) {
  const { t } = useTranslation();
  const [first] = CombinedGraphQLErrors.is(error) ? error.errors : [];
  const traceId = first?.extensions?.['traceId'];
  return (
    <Alert color="red" role="alert" title={title} mb="sm">
      {first ? first.message : t('notice.unreachable')}
      {typeof traceId === 'string' && <div className="quiet">{t('notice.trace', { traceId })}</div>}
    </Alert>
  );
}
