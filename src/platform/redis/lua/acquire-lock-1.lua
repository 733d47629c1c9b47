-- Acquires a lock that is free, or that the caller may already hold without knowing it.
-- KEYS[1]  lock
-- ARGV[1]  new token
-- ARGV[2]  time to live, ms
-- ARGV[3…] earlier tokens of the caller whose outcome is unknown
-- Returns  1 when acquired
local held = redis.call('GET', KEYS[1])
for index = 3, #ARGV do
  if held == ARGV[index] then held = false end
end
if held then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
