-- Removes the content of a stored answer, but keeps the fact that there was one.
-- KEYS  1 entry (HASH fingerprint, token, answer)
-- Reply 1 when there was one
if redis.call('HEXISTS', KEYS[1], 'answer') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'answer', '')
return 1
