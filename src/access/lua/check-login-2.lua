-- Time for which logins are blocked, computed from the failures within sliding windows.
-- KEYS  1 failures of user and address, 2 failures of the address (ZSET failure id -> ms)
-- ARGV  1 limit, 2 window ms of KEYS[1]; 3 limit, 4 window ms of KEYS[2]
-- Reply ms until the next attempt is allowed; 0 = allowed now
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait = 0
for i = 1, 2 do
  local limit, window = tonumber(ARGV[i * 2 - 1]), tonumber(ARGV[i * 2])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - window)
  if redis.call('ZCARD', KEYS[i]) >= limit then
    -- The failure that must leave the window before another attempt is allowed.
    local oldest = redis.call('ZRANGE', KEYS[i], -limit, -limit, 'WITHSCORES')
    wait = math.max(wait, tonumber(oldest[2]) + window - now)
  end
end
return wait
