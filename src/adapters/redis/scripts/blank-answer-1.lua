-- Takes what a request was answered with out of a kept answer; that there was one stays known.
-- KEYS  1 entry (HASH fingerprint, token, answer)
-- Reply 1 when there was one
if redis.call('HEXISTS', KEYS[1], 'answer') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'answer', '')
return 1
