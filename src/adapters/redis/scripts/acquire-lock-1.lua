-- Takes a lock that is free, or that the caller itself may hold without knowing.
-- KEYS[1]  lock
-- ARGV[1]  new token
-- ARGV[2]  life, ms
-- ARGV[3…] earlier tokens of the caller whose outcome it never learned
-- Returns  1 when taken
local held = redis.call('GET', KEYS[1])
for index = 3, #ARGV do
  if held == ARGV[index] then held = false end
end
if held then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
