-- Releases the key of a request that had no effect.
-- KEYS  1 entry (HASH fingerprint, token, answer)
-- ARGV  1 token
-- Reply 1 when released
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
