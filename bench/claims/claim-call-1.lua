-- Sets the winner of a call when it has none.
-- KEYS[1]  the call
-- ARGV[1]  who claims
-- Returns  1 when they have won
return redis.call('SET', KEYS[1], ARGV[1], 'NX') and 1 or 0
