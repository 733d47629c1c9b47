import { type RawBuilder, sql } from 'kysely';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, instant } from '#platform/postgres/values.ts';
import { type LinePrice, linePrice, MAX_PRICES, type NewLinePrice } from './decisions/line-price.ts';

const LOCKED = sql`for no key update`;

type PricesApp = AuditPart & Pick<Platform, 'db' | 'clock'>;

/** The prices of a line, the latest first; a future one may be among them. Errors: NOT_FOUND. Source: D14.10 */
export async function listLinePrices({ db }: Pick<PricesApp, 'db'>, lineId: number): Promise<LinePrice[]> {
  await requireName(db, lineId);
  return db.rows(pricesOf(lineId));
}

function pricesOf(lineId: number): RawBuilder<LinePrice> {
  return sql<LinePrice>`
    select ${columnsOf(linePrice, 'p')}
    from (select *, lead(valid_from) over (order by valid_from) as valid_to from line_price where line_id = ${lineId}) p
    order by p.valid_from desc`;
}

/**
 * Sets what calls cost from an instant on; a price that began at the same instant is replaced. Calls keep the price of their time.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT when the line has too many prices
 * Source: D14.10
 */
export async function setLinePrice(app: PricesApp, caller: Caller, lineId: number, terms: NewLinePrice): Promise<LinePrice> {
  const { currency, perMinute, unitSeconds, connectionFee, validFrom = app.clock.now() } = terms;
  const { name, price } = await app.db.transaction(async tx => {
    const name = await requireName(tx, lineId, LOCKED);
    const row = await tx.first(sql<{ id: number }>`
      insert into line_price (line_id, valid_from, currency, per_minute, unit_seconds, connection_fee)
      values (${lineId}, ${instant(validFrom)}, ${currency}, ${perMinute}::numeric, ${unitSeconds}, ${connectionFee}::numeric)
      on conflict (line_id, valid_from) do update set currency = excluded.currency, per_minute = excluded.per_minute,
        unit_seconds = excluded.unit_seconds, connection_fee = excluded.connection_fee
      returning id`);
    return { name, price: await requirePrice(tx, lineId, row?.id) };
  });
  await audit(app, caller, {
    action: 'line.priced',
    targetType: 'line',
    targetId: lineId,
    summary: `设置线路「${name}」的价格：每分钟 ${price.perMinute} ${price.currency}`,
    detail: detailOf(price),
  });
  return price;
}

async function requirePrice(tx: Sql, lineId: number, priceId: number | undefined): Promise<LinePrice> {
  const prices = await tx.rows(pricesOf(lineId));
  if (prices.length > MAX_PRICES) throw invalidArgument('validFrom', 'itemsAtMost', { max: MAX_PRICES });
  const price = prices.find(({ id }) => id === priceId);
  if (price === undefined) throw notFound('价格');
  return price;
}

/** With the row of the line locked, its prices change one after the other. */
async function requireName(db: Sql, lineId: number, lock: RawBuilder<unknown> = sql``): Promise<string> {
  const line = await db.first(sql<{ name: string }>`select name from line where id = ${lineId} and deleted_at is null ${lock}`);
  if (line === undefined) throw notFound('线路');
  return line.name;
}

/**
 * Removes a price: the one before it goes on in its place.
 *
 * Errors: NOT_FOUND
 * Source: D14.10
 */
export async function removeLinePrice(app: PricesApp, caller: Caller, { id: lineId, priceId }: PriceOfLine): Promise<LinePrice> {
  const { name, price } = await app.db.transaction(async tx => {
    const name = await requireName(tx, lineId, LOCKED);
    const price = await requirePrice(tx, lineId, priceId);
    await tx.run(sql`delete from line_price where id = ${priceId}`);
    return { name, price };
  });
  const entry = { action: 'line.price_removed', targetType: 'line', targetId: lineId } as const;
  await audit(app, caller, { ...entry, summary: `移除线路「${name}」的一个价格`, detail: detailOf(price) });
  return price;
}

/** A price of the line `id`. */
interface PriceOfLine {
  id: number;
  priceId: number;
}

function detailOf({ currency, perMinute, unitSeconds, connectionFee, validFrom }: LinePrice) {
  return { currency, perMinute, unitSeconds, connectionFee, validFrom: new Date(validFrom).toISOString() };
}
