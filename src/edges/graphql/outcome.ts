import { CalloutError, type ErrorCode } from '#kernel/errors.ts';

/** A refusal that the schema names as a member of the mutation's result. */
export interface RefusalModel<Name extends string> {
  __typename: Name;
  code: ErrorCode;
  message: string;
}

/**
 * The result of `work`, or the refusal that its failure means; every other failure stays an error.
 *
 * Shape: `refusals` names the type for each code that a user must handle
 */
export async function outcomeOf<Result, Name extends string>(
  work: Promise<Result>,
  refusals: Partial<Record<ErrorCode, Name>>,
): Promise<Result | RefusalModel<Name>> {
  try {
    return await work;
  } catch (error) {
    const name = error instanceof CalloutError ? refusals[error.code] : undefined;
    if (!(error instanceof CalloutError) || name === undefined) throw error;
    return { __typename: name, code: error.code, message: error.message };
  }
}

/** Which member of a result an object is: refusals say it themselves. */
export function memberOf<Name extends string>(success: Name) {
  return (value: object): Name => ('__typename' in value ? (value.__typename as Name) : success);
}
