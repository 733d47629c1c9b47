-- Keeps the answer of the request that holds a key; without room for it, that there was one.
-- KEYS  1 entry (HASH fingerprint, token, answer), 2 bytes that its owner takes
-- ARGV  1 token, 2 answer, 3 its bytes, 4 most bytes of an owner, 5 life of an answer, ms
-- Reply 1 when kept or known, 0 when the key is another's by now
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local answer = ARGV[2]
if redis.call('INCRBY', KEYS[2], ARGV[3]) > tonumber(ARGV[4]) then
  redis.call('DECRBY', KEYS[2], ARGV[3])
  answer = ''
end
if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[5]) end
redis.call('HSET', KEYS[1], 'answer', answer)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
