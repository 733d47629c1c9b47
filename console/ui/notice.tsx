import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useApolloClient } from '@apollo/client/react';
import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RefusedError } from '../api/refused-error.ts';

interface NoticeProps {
  error: Error;
  title?: string;
  /** Repeats the request that failed; absent: the queries of the page. Null after a command, which the user repeats where it was given. */
  again?: (() => unknown) | null;
}

/** Error of a query or a command: the server's message, the trace id for its log, and the way to try again. */
export function Notice({ error, title, again }: NoticeProps) {
  const { t } = useTranslation();
  const { message, traceId } = toldBy(error);
  const repeat = useRepeat(again);
  return (
    <Alert color="red" role="alert" title={title} mb="sm">
      {message ?? t('notice.unreachable')}
      {traceId !== null && <div className="quiet">{t('notice.trace', { traceId })}</div>}
      {repeat && (
        <Button size="compact-sm" variant="default" mt="xs" onClick={() => void repeat()}>
          {t('notice.again')}
        </Button>
      )}
    </Alert>
  );
}

function useRepeat(again: NoticeProps['again']): (() => unknown) | null {
  const client = useApolloClient();
  return again === undefined ? () => client.refetchQueries({ include: 'active' }) : again;
}

/** Null: the server sent no message. */
function toldBy(error: Error): { message: string | null; traceId: string | null } {
  if (error instanceof RefusedError) return error;
  const [first] = CombinedGraphQLErrors.is(error) ? error.errors : [];
  const traceId = first?.extensions?.['traceId'];
  return { message: first?.message ?? null, traceId: typeof traceId === 'string' ? traceId : null };
}
