import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { presentError } from '#platform/graphql/errors.ts';
import type { Language } from '#kernel/problem.ts';
import { languageOf } from '#platform/graphql/language.ts';
import { refusedDocument } from '#platform/graphql/known-documents.ts';
import { CalloutError, ERROR_CODES, type ErrorCode, invalidArgument } from '#kernel/errors.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();

function present(error: unknown, language: Language = 'zh') {
  const faults: unknown[] = [];
  return { told: presentError(error, { traceId: 'trace-1', language, schema }, fault => faults.push(fault)), faults };
}

const thrownBy = (error: Error) => new GraphQLError(error.message, { path: ['campaign'], originalError: error });

describe('failures over GraphQL [D2.1]', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s keeps its code, text and trace id', code => {
    const { told } = present(thrownBy(new CalloutError(code, '文字')));
    expect(told).toMatchObject({
      message: '文字',
      path: ['campaign'],
      extensions: { code, traceId: 'trace-1', retryable: ERROR_CODES[code].retryable },
    });
  });

  test('a validation failure names its field', () => {
    expect(present(thrownBy(invalidArgument('name', 'empty'))).told).toMatchObject({
      message: '参数错误：name 不能为空',
      extensions: { field: 'name' },
    });
  });

  test.each([
    ['Variable "$i" got invalid value "x" at "i.startAt"; Expected type "DateTime". 参数错误：DateTime 应为时间', 'i.startAt'],
    ['Variable "$i" got invalid value { a: "x\\" at \\"y" } at "i.list[2].at"; Expected type "DateTime".', 'i.list[2].at'],
    ['Variable "$at" got invalid value "x"; Expected type "DateTime". 参数错误：DateTime 应为时间', 'at'],
  ])('an invalid scalar is reported by its path in the variable: %s', (message, place) => {
    const fault = new GraphQLError(message, {
      originalError: new GraphQLError('', { originalError: invalidArgument('DateTime', 'instant') }),
    });
    expect(present(fault).told).toMatchObject({ message: `参数错误：${place} 必须是时间`, extensions: { field: place } });
  });

  test("GraphQL's own errors about a variable keep its name", () => {
    const inner = new GraphQLError('String cannot represent a non string value: 5');
    const fault = new GraphQLError(`Variable "$a" got invalid value 5; ${inner.message}`, { originalError: inner });
    expect(present(fault).told.message).toBe(
      'GraphQL 请求不合法：Variable "$a" got invalid value 5; String cannot represent a non string value: 5',
    );
  });

  test('the text of an internal error goes only to the log', () => {
    const bug = new TypeError('select * from secrets');
    const { told, faults } = present(thrownBy(bug));
    expect(told).toMatchObject({ message: '服务器内部错误', extensions: { code: 'INTERNAL', traceId: 'trace-1' } });
    expect(JSON.stringify(told)).not.toContain('secrets');
    expect(faults).toEqual([bug]);
  });

  test('errors of GraphQL itself are the client’s fault', () => {
    const { told, faults } = present(new GraphQLError('Cannot query field "x"'));
    expect(told.extensions.code).toBe('INVALID_ARGUMENT');
    expect(told.message).toBe('GraphQL 请求不合法：Cannot query field "x"');
    expect(faults).toEqual([]);
  });

  test('a field that violates its schema is an internal error', () => {
    expect(present(new GraphQLError('Cannot return null for non-nullable field', { path: ['campaign'] })).told.extensions.code).toBe(
      'INTERNAL',
    );
  });

  test('a mutation over GET is METHOD_NOT_ALLOWED', () => {
    const refused = new GraphQLError('GET requests only support query operations', {
      extensions: { code: 'BAD_REQUEST', http: { status: 405 } },
    });
    expect(present(refused).told.extensions.code).toBe('METHOD_NOT_ALLOWED');
  });
});

describe('errors in English', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s has an English message', code => {
    expect(present(thrownBy(new CalloutError(code, '文字')), 'en').told.message).toMatch(/^[A-Z][^一-龥]+\.$/);
  });

  test.each([
    ['a cause', thrownBy(new CalloutError('CONFLICT', '通话已结束', { reason: 'CALL_ENDED' })), 'The call is over.'],
    ['an argument', thrownBy(invalidArgument('input.name', 'empty')), 'input.name must not be empty.'],
    ['an error of GraphQL', new GraphQLError('Cannot query field "x"'), 'Cannot query field "x"'],
    ['a limit of this server', refusedDocument('太深', 'Too deep.'), 'Too deep.'],
    ['an internal error', thrownBy(new TypeError('select')), 'A fault of the server; `extensions.traceId` finds it in the log.'],
  ])('%s', (_what, error, told) => {
    expect(present(error, 'en').told.message).toBe(told);
  });

  test.each([
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh;q=0.5, en', 'en'],
    ['en;q=0, *', 'zh'],
    ['fr', 'zh'],
    [undefined, 'zh'],
    [['en'], 'zh'],
  ])('Accept-Language %j selects %s', (accepted, language) => {
    expect(languageOf(accepted)).toBe(language);
  });
});
