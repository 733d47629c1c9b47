-- The present monitors with their load.
-- KEYS[1]  prefix of the monitor registry, m:{m}:
-- Returns  one row for each current presence: user, name, capacity, number of calls
-- Source   D9.2
local p = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local rows = {}
for _, user in ipairs(redis.call('ZRANGEBYSCORE', p .. 'presence', '(' .. now, '+inf')) do
  local u = redis.call('HMGET', p .. 'user:' .. user, 'name', 'cap')
  rows[#rows + 1] = { user, u[1] or '', u[2] or '0', redis.call('ZCARD', p .. 'has:' .. user) }
end
return rows
