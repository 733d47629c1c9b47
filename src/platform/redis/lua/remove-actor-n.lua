-- Deletes an actor with its timers and outbox.
-- KEYS     as in commit-actor-n, then two companions (the captions of a call)
-- ARGV[1]  id
-- Source   A3
local id = ARGV[1]
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 6) == 'timer:' then
    redis.call('ZREM', KEYS[2], id .. '|' .. string.sub(field, 7) .. '|' .. redis.call('HGET', KEYS[1], field))
  end
end
redis.call('SREM', KEYS[5], id)
-- Outbox entries of a removed actor are cleared by the next host that takes them, since their actor no longer exists.
return redis.call('DEL', KEYS[1], KEYS[6], KEYS[7])
