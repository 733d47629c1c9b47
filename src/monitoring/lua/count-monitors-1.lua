-- Load and capacity of the monitors.
-- KEYS[1]  prefix of the monitor registry, m:{m}:
-- ARGV     users; '' for none in particular
-- Returns  number of calls with a monitor, total capacity of current presences, number of waiting calls; then the capacity of each user, in order
-- Source   D9.2
local p = KEYS[1]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local used, total, capacityOf = 0, 0, {}
for _, user in ipairs(redis.call('ZRANGEBYSCORE', p .. 'presence', '(' .. now, '+inf')) do
  local capacity = tonumber(redis.call('HGET', p .. 'user:' .. user, 'cap') or '0')
  capacityOf[user] = capacity
  total = total + capacity
  used = used + redis.call('ZCARD', p .. 'has:' .. user)
end
local answer = { used, total, redis.call('ZCARD', p .. 'waiting') }
for _, user in ipairs(ARGV) do answer[#answer + 1] = capacityOf[user] or 0 end
return answer
