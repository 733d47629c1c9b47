-- Stores the answer of the request that holds a key; beyond the owner's quota only the fact that there was one.
-- KEYS  1 entry (HASH fingerprint, token, answer), 2 bytes used by its owner
-- ARGV  1 token, 2 answer, 3 its bytes, 4 quota of an owner, bytes, 5 time to live of an answer, ms
-- Reply 1 when stored or noted, 0 when another request holds the key by now
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
