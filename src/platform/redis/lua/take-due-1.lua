-- Leases due members: raises their score, so that another instance takes one only if this instance does not finish it.
-- KEYS[1]  ZSET member → due instant, ms
-- ARGV[1]  limit
-- ARGV[2]  lease, ms
-- Returns  members, oldest first
-- Source   A3
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, member in ipairs(due) do redis.call('ZADD', KEYS[1], now + ARGV[2], member) end
return due
