-- Records a failed login.
-- KEYS  1 failures of user and address, 2 failures of the address (ZSET failure id -> ms)
-- ARGV  1 window ms of KEYS[1], 2 window ms of KEYS[2], 3 id of the failure, 4 limit of failures kept per key
-- Reply 1
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, 2 do
  redis.call('ZADD', KEYS[i], now, ARGV[3])
  redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -1 - tonumber(ARGV[4]))
  redis.call('PEXPIRE', KEYS[i], ARGV[i])
end
return 1
