-- Reserves an idempotency key for a request, or returns the state of the request that has it.
-- KEYS  1 entry (HASH fingerprint, token, answer), 2 bytes used by its owner
-- ARGV  1 fingerprint, 2 token, 3 time to live of a running request, ms, 4 bytes per entry, 5 quota of an owner, bytes, 6 time to live of an answer, ms
-- Reply { 'first' } | { 'answered', answer } | { 'in_flight' } | { 'other_request' } | { 'full', ms until the quota resets }
local seen = redis.call('HMGET', KEYS[1], 'fingerprint', 'answer')
if seen[1] then
  if seen[1] ~= ARGV[1] then return { 'other_request' } end
  if seen[2] then return { 'answered', seen[2] } end
  return { 'in_flight' }
end
local taken = redis.call('INCRBY', KEYS[2], ARGV[4])
if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[6]) end
if taken > tonumber(ARGV[5]) then
  redis.call('DECRBY', KEYS[2], ARGV[4])
  return { 'full', redis.call('PTTL', KEYS[2]) }
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'token', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return { 'first' }
