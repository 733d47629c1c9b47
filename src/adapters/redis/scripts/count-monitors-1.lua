-- How much the monitors have and may have.
-- KEYS[1]  prefix of the monitor book, m:{m}:
-- ARGV[1]  user, '' = none in particular
-- Returns  capacity of the user, calls with a monitor, capacity of all living presences, calls that wait
-- Source   D9.2
local p = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local mine, used, total = 0, 0, 0
for _, user in ipairs(redis.call('ZRANGEBYSCORE', p .. 'presence', '(' .. now, '+inf')) do
  local u = redis.call('HMGET', p .. 'user:' .. user, 'cap')
  local capacity = tonumber(u[1] or '0')
  if user == ARGV[1] then mine = capacity end
  total = total + capacity
  used = used + redis.call('ZCARD', p .. 'has:' .. user)
end
return { mine, used, total, redis.call('ZCARD', p .. 'waiting') }
