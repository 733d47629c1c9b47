import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the switch refused the dial of the attempt with alias `a`, so that no channel ever was: it is no dial of the number.
 *
 * Why:    a call whose reply was lost has no text of the switch, and somebody's phone may have rung
 * Source: D7.1, D8.4
 */
export const REFUSED: RawBuilder<boolean> = sql`(a.status = 'failed' and a.accepted_at is null and a.reply_text <> '')`;
