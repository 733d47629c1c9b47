import { describe, expect, test } from '@jest/globals';
import { answerCheck, type SeenAnswer } from '#test/support/openapi/answer-check.ts';

const row = {
  type: 'object',
  properties: { id: { type: 'integer', exclusiveMinimum: 0 }, name: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};
const failure = {
  content: { 'application/json': { schema: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } } } },
};
const check = answerCheck({
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          '200': { content: { 'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }] } } } },
          '304': {},
          default: failure,
        },
      },
    },
    '/things/all': {
      post: {
        requestBody: { content: { 'application/json': { schema: { type: 'array', items: { type: 'string' }, maxItems: 2 } } } },
        responses: { '200': { content: { 'application/json': { schema: { enum: ['done'] } } } } },
      },
    },
  },
  components: { schemas: { Row: row } },
});

const seen = (answer: Partial<SeenAnswer>) =>
  check({ method: 'GET', path: '/things/1?x=2', status: 200, contentType: 'application/json; charset=utf-8', text: '{"id":1}', ...answer });

describe('responses compared with the OpenAPI document', () => {
  test('a documented response passes', () => {
    expect(seen({})).toBeNull();
    expect(seen({ text: 'null' })).toBeNull();
    expect(seen({ status: 404, text: '{"code":"404"}' })).toBeNull();
    expect(seen({ status: 304, contentType: '', text: '' })).toBeNull();
    expect(seen({ method: 'POST', path: '/things/all', text: '"done"', sent: ['a'] })).toBeNull();
    expect(seen({ path: '/nothing', status: 404, text: '{}' })).toBeNull();
  });

  test.each<[string, Partial<SeenAnswer>, RegExp]>([
    ['a missing member', { text: '{"name":"x"}' }, /lacks id/],
    ['a member of another type', { text: '{"id":"1"}' }, /id is "1", not integer/],
    ['a value out of range', { text: '{"id":0}' }, /id is 0, not above 0/],
    ['an undocumented member', { text: '{"id":1,"secret":2}' }, /has secret/],
    ['an undocumented status', { status: 204, text: '' }, /answers 204/],
    ['a failure without its envelope', { status: 400, text: '{}' }, /lacks code/],
    ['another content type', { contentType: 'text/html' }, /is text\/html/],
    ['a body where there is none', { status: 304 }, /has a body/],
    ['success on an undocumented path', { path: '/nothing' }, /does not know it/],
    ['a value that is not listed', { method: 'POST', path: '/things/all', text: '"other"' }, /none of done/],
    [
      'an accepted body that the document forbids',
      { method: 'POST', path: '/things/all', text: '"done"', sent: ['a', 1] },
      /accepted a body.*\[1\] is 1/,
    ],
    [
      'an accepted body that is longer than the document allows',
      { method: 'POST', path: '/things/all', text: '"done"', sent: ['a', 'b', 'c'] },
      /more than 2/,
    ],
  ])('%s is reported', (_, answer, fault) => {
    expect(seen(answer)).toMatch(fault);
  });

  test('an unknown keyword throws', () => {
    const odd = answerCheck({
      paths: { '/x': { get: { responses: { '200': { content: { 'application/json': { schema: { not: {} } } } } } } } },
    });
    expect(() => odd({ method: 'GET', path: '/x', status: 200, contentType: 'application/json', text: '1' })).toThrow('keyword not');
  });
});
