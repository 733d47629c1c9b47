-- Forgets an actor with its timers and outbox.
-- KEYS     as commit-actor-n, then two that go with it (the captions of a call)
-- ARGV[1]  id
-- Source   A3
local id = ARGV[1]
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 6) == 'timer:' then
    redis.call('ZREM', KEYS[2], id .. '|' .. string.sub(field, 7) .. '|' .. redis.call('HGET', KEYS[1], field))
  end
end
redis.call('SREM', KEYS[5], id)
-- Effects of a removed actor are cleared by whoever takes them next: the hash that they need is gone.
return redis.call('DEL', KEYS[1], KEYS[6], KEYS[7])
