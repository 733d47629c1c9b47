-- Sets the winner of a call unless it has one.
-- KEYS[1]  the call
-- ARGV[1]  the claimant
-- Returns  1 when the claimant has won
return redis.call('SET', KEYS[1], ARGV[1], 'NX') and 1 or 0
