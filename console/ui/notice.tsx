import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RefusedError } from '../api/refused-error.ts';

/** Error of a query or a command: the server's message, and the trace id for its log. */
export function Notice({ error, title }: { error: Error; title?: string }) {
  const { t } = useTranslation();
  const { message, traceId } = toldBy(error);
  return (
    <Alert color="red" role="alert" title={title} mb="sm">
      {message ?? t('notice.unreachable')}
      {traceId !== null && <div className="quiet">{t('notice.trace', { traceId })}</div>}
    </Alert>
  );
}

/** Null: the server sent no message. */
function toldBy(error: Error): { message: string | null; traceId: string | null } {
  if (error instanceof RefusedError) return error;
  const [first] = CombinedGraphQLErrors.is(error) ? error.errors : [];
  const traceId = first?.extensions?.['traceId'];
  return { message: first?.message ?? null, traceId: typeof traceId === 'string' ? traceId : null };
}
